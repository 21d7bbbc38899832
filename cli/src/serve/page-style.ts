/** The page's style sheet, whole: light and dark by the reader's choice, no font to load. */
export const style: string = `
:root { --ink: #16242c; --quiet: #5a6b75; --paper: #f6f8f8; --card: #fff; --line: #dbe3e5; --water: #0f7c91; --code: #0d2530; --code-ink: #d8eef2 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3ebee; --quiet: #93a5ad; --paper: #0e171c; --card: #15222a; --line: #263741; --water: #4cc3d9; --code: #08131a; --code-ink: #cfe9ef }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif }
main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem }
header { display: flex; gap: 1.1rem; align-items: center; padding: 3rem 0 1.5rem }
header svg { flex: none; fill: none; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round }
.post { stroke: var(--quiet) } .gate { stroke: var(--ink); fill: var(--card) } .water { stroke: var(--water) }
h1 { margin: 0; font-size: 1.7rem; line-height: 1.2; letter-spacing: -.01em }
header p { margin: .3rem 0 0 }
.quiet { display: block; color: var(--quiet) }
section { margin: 0 0 1.25rem; padding: 1.25rem 1.4rem 1.4rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
h2 { margin: 0 0 .7rem; font-size: 1.05rem }
h3 { margin: 1.1rem 0 .4rem; font-size: .95rem; font-weight: 500; color: var(--quiet) }
h2 + h3 { margin-top: 0 }
table { width: 100%; border-collapse: collapse }
th { text-align: left; font-weight: 500; font-size: .85rem; color: var(--quiet) }
th, td { padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
tbody tr:last-child td { border-bottom: 0; padding-bottom: 0 }
code { font: .9em ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
pre { margin: 0; padding: .8rem 1rem; overflow-x: auto; background: var(--code); color: var(--code-ink); border-radius: 8px }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.1rem; margin: 0 }
dd { margin: 0 }
section p:last-child { margin: .9rem 0 0; color: var(--quiet) }
a { color: var(--water) }
footer { padding-bottom: 3rem; font-size: .9rem; color: var(--quiet) }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr } dd { margin-bottom: .4rem } header { padding-top: 1.75rem } }
`
