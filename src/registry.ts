import { PolicyError } from './errors.ts'
import type { Store } from './stores/store.ts'

/** Which names are in use on which store, and for what by each limiter. Goes with the store. */
const claims = /* @__PURE__ */ new WeakMap<Store, Map<string, string[]>>()

/**
 * Claims a limiter's name on a store: by two limiters with other policies it would be one quota by accident, or none.
 *
 * @returns What gives the name up again.
 * @throws PolicyError `ERR_HEADGATE_NAME` where it is in use for other policies, unless it is shared on purpose.
 */
export function claimName(store: Store, name: string, signature: string, shared: boolean): () => void {
  const names = claims.get(store) ?? new Map<string, string[]>()
  claims.set(store, names)
  const users = names.get(name) ?? []
  if (!shared && users.some((user) => user !== signature)) {
    throw new PolicyError(
      'ERR_HEADGATE_NAME',
      'name',
      name,
      'is in use on this store with other policies; take another, or say shared: true',
    )
  }
  names.set(name, users)
  users.push(signature)
  return () => {
    users.splice(users.indexOf(signature), 1)
    if (users.length === 0) names.delete(name)
  }
}
