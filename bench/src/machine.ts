import { readFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'

/** Where a figure was measured: without it a figure says nothing. */
export interface Machine {
  readonly node: string
  readonly v8: string
  readonly system: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  /** How many processes wanted a core when it began: more than there are cores, and only ratios count. */
  readonly load: number
}

export function thisMachine(): Machine {
  const cores = cpus()
  return {
    node: process.versions.node,
    v8: process.versions.v8,
    system: `${platform()} ${release()} ${arch()}`,
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

export function describeMachine({ node, v8, system, cpu, cores, memoryGiB, load }: Machine): string {
  return `Node ${node} (V8 ${v8}), ${system}, ${cores} × ${cpu}, ${memoryGiB} GiB, load ${load}`
}

/** The version of an installed package, from its manifest: what it exports may be anything. @throws Error for one that is not there. */
export function versionOf(packageName: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const version = versionIn(join(folder, 'node_modules', packageName, 'package.json'))
    if (version !== undefined) return version
    if (dirname(folder) === folder) throw new Error(`${packageName} is not installed`)
  }
}

function versionIn(manifest: string): string | undefined {
  try {
    return JSON.parse(readFileSync(manifest, 'utf8')).version
  } catch {
    return undefined
  }
}
