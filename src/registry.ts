import { PolicyError } from './errors.ts'
import type { Store } from './stores/store.ts'

/** A name in use: what for, and by how many limiters. */
interface Claim {
  readonly signature: string
  users: number
}

/** Which names are in use on which store. Goes with the store. */
const claims = /* @__PURE__ */ new WeakMap<Store, Map<string, Claim>>()

/**
 * Claims a limiter's name on a store: by two limiters with other policies it would be one quota by accident, or none.
 *
 * @returns What gives the name up again.
 * @throws PolicyError `ERR_HEADGATE_NAME` where it is in use for other policies, unless it is shared on purpose.
 */
export function claimName(store: Store, name: string, signature: string, shared: boolean): () => void {
  const names = claims.get(store) ?? new Map<string, Claim>()
  claims.set(store, names)
  const claim = names.get(name) ?? { signature, users: 0 }
  if (claim.signature !== signature && !shared) {
    throw new PolicyError(
      'ERR_HEADGATE_NAME',
      'name',
      name,
      'is in use on this store with other policies; take another, or say shared: true',
    )
  }
  names.set(name, claim)
  claim.users += 1
  return () => {
    claim.users -= 1
    if (claim.users === 0) names.delete(name)
  }
}
