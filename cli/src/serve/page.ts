import { createHash } from 'node:crypto'
import type { Config, DeclaredPolicies } from '../config/config.ts'
import { describePolicy } from '../describe-policy.ts'
import { showCount } from '../text.ts'
import { version } from '../version.ts'
import { exampleCheck } from './greeting.ts'
import { style } from './page-style.ts'

export interface PageOptions {
  readonly config: Config
  /** Keys held now, and at most. */
  readonly keys: number
  readonly maxKeys: number
  /** The Host header of the request, so that the lines to try reach the service the way the reader did. */
  readonly host: string | undefined
}

/** The page holds no script and loads nothing; its one style sheet is named by its hash. */
export const CONTENT_SECURITY_POLICY: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What is running, with which policies, and the lines to try. */
export function renderPage(options: PageOptions): string {
  const origin = `http://${hostOf(options.host)}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Headgate: the decision service</title>
<style>${style}</style>
</head>
<body>
<main>
${header(options)}
${policiesSection(options.config.policies)}
${limitersSection(options.config.limiters)}
${trySection(origin, exampleCheck(options.config))}
${answerSection()}
</main>
<footer>Headgate ${escapeHtml(version)}. <a href="/healthz">Health</a> <a href="/openapi.json">OpenAPI</a></footer>
</body>
</html>
`
}

function header({ keys, maxKeys }: PageOptions): string {
  return `<header>
<svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
<path class="post" d="M9 6v36M39 6v36M5 6h38"/>
<path class="gate" d="M14 12h20v14H14zM24 6v6"/>
<path class="water" d="M4 34q5-4 10 0t10 0 10 0 10 0M4 41q5-4 10 0t10 0 10 0 10 0"/>
</svg>
<div>
<h1>Headgate decides here</h1>
<p>Ask before you let a request in. <span class="quiet">Keys in memory: ${showCount(keys)} of at most ${showCount(maxKeys)}.</span></p>
</div>
</header>`
}

function policiesSection(policies: DeclaredPolicies): string {
  if (policies.size === 0) return ''
  return `<section>
<h2>Policies</h2>
${table(policies)}
</section>`
}

function limitersSection(limiters: Config['limiters']): string {
  if (limiters.size === 0) return ''
  const each = [...limiters].map(([name, own]) => `<h3><code>${escapeHtml(name)}</code></h3>\n${table(own)}`)
  return `<section>
<h2>Limiters</h2>
<p>Each asks several policies at once: any one that trips rejects, and then none is charged.</p>
${each.join('\n')}
</section>`
}

function table(policies: DeclaredPolicies): string {
  const rows = [...policies].map(([name, { policy, maxLimit }]) => {
    const most = maxLimit === undefined ? '' : `; up to ${showCount(maxLimit)} on request`
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(policy.algorithm)}</td><td>${escapeHtml(describePolicy(policy) + most)}</td></tr>`
  })
  return `<table>
<thead><tr><th>Policy</th><th>Algorithm</th><th>Admits, for each key</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`
}

function trySection(origin: string, check: object): string {
  return `<section>
<h2>Try it</h2>
<h3>Charge one unit, if there is room</h3>
${curl(origin, '/v1/take', check)}
<h3>Ask only, and charge nothing</h3>
${curl(origin, '/v1/peek', { ...check, cost: 5 })}
<h3>Give a charge back, with the receipt that <code>take</code> answered</h3>
${curl(origin, '/v1/refund', { receipt: 'RECEIPT' })}
</section>`
}

function curl(origin: string, path: string, body: object): string {
  const lines = [
    `curl -s ${origin}${path} \\`,
    "  -H 'content-type: application/json' \\",
    `  -d '${JSON.stringify(body)}'`,
  ]
  return `<pre><code>${escapeHtml(lines.join('\n'))}</code></pre>`
}

const FIELDS = [
  ['allowed', 'the verdict. The status is 200 either way: a denial is an answer, not an error'],
  ['remaining', 'whole units left of <code>limit</code>'],
  ['resetAtMs', 'when the whole quota is back, in epoch milliseconds; <code>null</code> for never'],
  ['retryAtMs', 'on a denial: the first instant at which the same cost is admitted'],
  ['receipt', 'on an admission: what <code>/v1/refund</code> wants, once'],
] as const

function answerSection(): string {
  const rows = FIELDS.map(([name, meaning]) => `<dt><code>${name}</code></dt><dd>${meaning}</dd>`)
  return `<section>
<h2>What comes back</h2>
<dl>
${rows.join('\n')}
</dl>
<p>What can't be answered is a problem in JSON (RFC 9457) with a <code>type</code>, a <code>status</code> and a <code>detail</code> that says what to do.</p>
</section>`
}

/** A host and port, or this machine's usual ones: a foreign header must not write the lines that people paste into a shell. */
function hostOf(host: string | undefined): string {
  return host !== undefined && /^[\w.-]{1,253}(:\d{1,5})?$|^\[[\da-f:.]{2,45}\](:\d{1,5})?$/i.test(host)
    ? host
    : '127.0.0.1:8787'
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
