/** What has to exist before a kind of fault can occur here, and so before it can be tested. */
export const NEEDS = {
  http: 'there is no HTTP layer yet',
  adapters: 'there are no framework adapters yet',
  redis: 'there is no Redis store yet',
  cluster: 'there is no Redis store yet, and so no cluster',
  guards: 'there are no guards yet: without them an outage rejects',
  metrics: 'there are no metrics yet',
  bans: 'there are no penalties and no bans',
  calendar: 'there are no calendar windows: a window is a length of time',
  concurrency: 'permits in flight are not counted: this limits rates',
} as const

/** What of a kind can't be tested yet. */
interface Later {
  readonly needs: keyof typeof NEEDS
  /** What is to be tested. */
  readonly what: string
  /** The file that will do it. */
  readonly home: string
}

export interface Fault {
  readonly kind: string
  readonly area: string
  /** What went wrong, in limiters that people used. */
  readonly fault: string
  /** What happens here instead. */
  readonly right: string
  /** The files of this folder that test it. */
  readonly tests?: readonly string[]
  /** A folder outside of this one that tests it. */
  readonly elsewhere?: string
  readonly later?: Later
}

/** Every kind of fault that is known: covered by the tests named, or waiting for what it needs, or both. */
export const LEDGER = [
  // Window arithmetic
  {
    kind: 'previous-window-forgotten',
    area: 'Window arithmetic',
    fault:
      'The weighted counter of two windows looked up the wrong previous one, and was a plain fixed window with a double budget at the edge.',
    right:
      'The previous window weighs by the part of it that is still in reach, to the unit, for windows of a millisecond to a year.',
    tests: ['window-edges.test.ts'],
  },
  {
    kind: 'stale-hits-after-idle',
    area: 'Window arithmetic',
    fault: 'After a gap of several windows hits of long ago still counted.',
    right: 'What is older than a window (the counter: two) counts for nothing, however long the gap.',
    tests: ['window-edges.test.ts'],
  },
  {
    kind: 'one-clock-for-all-keys',
    area: 'Window arithmetic',
    fault: 'One timer cleared all keys together, so who came late got the budget back early.',
    right:
      "A key's window runs from its own first charge. Where boundaries are shared by design (epoch, counter), the wait says so.",
    tests: ['window-edges.test.ts'],
  },
  {
    kind: 'spent-at-the-instant-of-expiry',
    area: 'Window arithmetic',
    fault: 'At the very instant of expiry the old count was kept under a new end.',
    right: 'The instant at which a window ends belongs to the next: the first charge there counts 1.',
    tests: ['window-edges.test.ts'],
    later: { needs: 'redis', what: 'a key whose remaining life reads 0 ms', home: 'redis-keys.test.ts' },
  },
  {
    kind: 'fast-rate-overadmits',
    area: 'Window arithmetic',
    fault: 'Rates above one a second let a third too much through.',
    right:
      'In any time T a bucket admits its burst and rate · T, no more, and to who asks all the time no less.',
    tests: ['hits-and-refill.test.ts'],
  },
  {
    kind: 'polling-loses-refill',
    area: 'Window arithmetic',
    fault:
      'Each question moved the mark of the last refill and dropped the part unit, so a bucket that was often asked never refilled.',
    right: 'Part units are kept exactly; asking changes nothing.',
    tests: ['hits-and-refill.test.ts'],
  },
  {
    kind: 'large-hit-out-of-sight',
    area: 'Window arithmetic',
    fault:
      'A log looked back only as far as the present cost, so small hits after a large one passed the limit.',
    right: 'Hits count by their cost, and leave at their own instant.',
    tests: ['hits-and-refill.test.ts'],
  },
  {
    kind: 'same-tick-hits-merge-into-one',
    area: 'Window arithmetic',
    fault: 'Hits of one tick overwrote each other, so a burst counted as one.',
    right: 'Each hit counts, at one instant and from several processes.',
    tests: ['hits-and-refill.test.ts'],
  },
  {
    kind: 'expiry-needs-a-timer',
    area: 'Window arithmetic',
    fault:
      'Only a timer expired entries; on a host that freezes timers a key stayed spent and its time left went negative.',
    right: 'A decision compares stored times with now. No timer is needed for any quota to come back.',
    tests: ['memory-and-timers.test.ts'],
  },

  // Reset and retry
  {
    kind: 'wait-in-the-wrong-unit',
    area: 'Reset and retry',
    fault: 'The header that is in seconds carried milliseconds; clients waited a thousand times too long.',
    right: '`retryAfterMs` is in milliseconds, by its name, for every spelling of a window.',
    tests: ['retry.test.ts'],
    later: { needs: 'http', what: '`Retry-After` in seconds', home: 'headers.test.ts' },
  },
  {
    kind: 'wait-is-always-the-window',
    area: 'Reset and retry',
    fault: 'The wait was always told as the whole window.',
    right: 'The wait runs to the instant at which this cost fits.',
    tests: ['retry.test.ts'],
    later: { needs: 'http', what: 'header and body that say the same', home: 'headers.test.ts' },
  },
  {
    kind: 'wait-rounded-down',
    area: 'Reset and retry',
    fault: 'The wait was rounded down, so a client that waited as told was refused again.',
    right:
      'The wait is exact to the microsecond: refused before it, admitted at it. Whole seconds, rounded up, are admitted too.',
    tests: ['retry.test.ts'],
    later: { needs: 'http', what: '`Retry-After` rounded up, at least 1', home: 'headers.test.ts' },
  },
  {
    kind: 'fractions-on-the-wire',
    area: 'Reset and retry',
    fault: 'Waits and remaining tokens went out with decimals and broke strict parsers.',
    right: '`limit` and `remaining` are whole units, rounded down.',
    tests: ['reset-and-remaining.test.ts'],
    later: { needs: 'http', what: 'numeric headers that are digits only', home: 'headers.test.ts' },
  },
  {
    kind: 'reset-from-the-newest-hit',
    area: 'Reset and retry',
    fault: 'A log told the wait from its newest hit and not from the oldest that must leave.',
    right:
      'The wait walks from the oldest hit, the reset is that of the newest, and neither moves while nothing is charged.',
    tests: ['reset-and-remaining.test.ts'],
  },
  {
    kind: 'reset-forgets-earlier-spending',
    area: 'Reset and retry',
    fault: "A bucket's reset was one interval away, whatever had been spent; state was evicted too soon.",
    right: 'The reset is when all that is in use has come back, debt included.',
    tests: ['reset-and-remaining.test.ts'],
  },
  {
    kind: 'wait-forgets-the-part-token',
    area: 'Reset and retry',
    fault: 'The wait ignored the part of a token that was earned already.',
    right: 'A part unit shortens the wait by what it is worth.',
    tests: ['retry.test.ts'],
  },
  {
    kind: 'wait-forgets-the-burst',
    area: 'Reset and retry',
    fault: 'A GCRA told the theoretical arrival time and left out the burst, so callers waited too long.',
    right: 'The wait is to the next unit, or to as many as are asked.',
    tests: ['retry.test.ts'],
  },
  {
    kind: 'remaining-overstated-or-negative',
    area: 'Reset and retry',
    fault: 'What remains left the previous window out, or went below zero.',
    right:
      'What remains counts all that counts in the decision, is never negative, and on a denial is never enough for its cost.',
    tests: ['reset-and-remaining.test.ts'],
  },
  {
    kind: 'second-limiter-overwrites-headers',
    area: 'Reset and retry',
    fault: 'The second limiter on a route overwrote the list headers of the first.',
    right: 'Both lists name both limiters.',
    later: { needs: 'http', what: 'list headers of two limiters on one route', home: 'headers.test.ts' },
  },
  {
    kind: 'headers-only-on-refusals',
    area: 'Reset and retry',
    fault: 'Limit headers came only with refusals, or were lost where a route builds its own response.',
    right: 'Every response carries them.',
    later: {
      needs: 'adapters',
      what: 'headers on 200 and 429, and on responses that a route makes itself',
      home: 'adapters.test.ts',
    },
  },

  // Refunds
  {
    kind: 'refund-after-the-window',
    area: 'Refunds',
    fault:
      'A refund after the window had ended made a new key at −1 without an end: extra budget, or a key that never dies.',
    right:
      'A late refund gives nothing and makes no state. The counter carries its previous window along, and takes refunds to it until that is over.',
    tests: ['refunds.test.ts'],
    later: { needs: 'redis', what: 'no key is made, and none without a TTL', home: 'redis-keys.test.ts' },
  },
  {
    kind: 'finished-response-refunded',
    area: 'Refunds',
    fault:
      'An event that also follows a normal end refunded every successful request; on other versions an aborted one never was.',
    right: 'One outcome a request; an abort is its own, charged unless named free.',
    later: {
      needs: 'adapters',
      what: 'finish, close and error of a real server, each refunded once or not at all',
      home: 'charging.test.ts',
    },
  },
  {
    kind: 'refund-ignored-at-the-limit',
    area: 'Refunds',
    fault: 'A short-cut for keys at their limit ran before the refund was looked at.',
    right: 'A refund counts where nothing remains, and pays debt first.',
    tests: ['refunds.test.ts'],
  },
  {
    kind: 'refund-mints-quota',
    area: 'Refunds',
    fault: 'Repeated refunds pushed the used count below zero and granted more than the limit.',
    right: 'A receipt gives back once, never more than was charged, never more than is still in use.',
    tests: ['refunds.test.ts'],
  },
  {
    kind: 'settlement-dies-with-the-request',
    area: 'Refunds',
    fault:
      "Settling ran on the request's own lifetime, so a client that left kept the whole reservation charged.",
    right:
      'A reservation is settled by the report, whenever it comes and whoever brings it; without one it stays charged and ends as any charge does.',
    tests: ['settlement.test.ts'],
    later: { needs: 'adapters', what: 'a client that goes away in mid-stream', home: 'charging.test.ts' },
  },

  // Atomicity
  {
    kind: 'concurrent-calls-overadmit',
    area: 'Atomicity',
    fault: 'Reading, deciding and writing were three steps; under a flood a large part of the excess passed.',
    right: 'A decision is one step: of any number of calls at once the limit is admitted.',
    tests: ['atomicity.test.ts'],
  },
  {
    kind: 'second-object-recreates-permits',
    area: 'Atomicity',
    fault:
      'A second limiter object found no permits left, took that for a fresh start, and made them all again.',
    right: 'Nothing used and nothing left are not alike.',
    later: {
      needs: 'concurrency',
      what: 'permits out while a second object is made',
      home: 'concurrency.test.ts',
    },
  },
  {
    kind: 'entry-vanishes-mid-decision',
    area: 'Atomicity',
    fault: 'An entry was evicted between the question whether it is there and its use.',
    right: 'A live state never gives its place away, and whoever finds none decides as on a fresh key.',
    tests: ['atomicity.test.ts'],
  },

  // Expiry
  {
    kind: 'state-without-an-end',
    area: 'Expiry',
    fault: 'A path wrote a count without an expiry, and its user was locked out for ever.',
    right:
      'Whatever wrote it, a state is gone at the reset that was told; a bucket that is never refilled after 366 days.',
    tests: ['expiry.test.ts'],
    later: {
      needs: 'redis',
      what: 'our key without its TTL heals; a foreign value fails that entry and is left alone',
      home: 'redis-keys.test.ts',
    },
  },
  {
    kind: 'seconds-for-milliseconds',
    area: 'Expiry',
    fault: 'Milliseconds went to a command that takes seconds: keys lived a thousand times too long.',
    right: 'A state is let go soon after its end.',
    tests: ['expiry.test.ts'],
    later: { needs: 'redis', what: 'the TTL of each algorithm', home: 'redis-keys.test.ts' },
  },
  {
    kind: 'rate-above-one-a-tick',
    area: 'Expiry',
    fault: 'Rates above one a tick made an interval of zero: an error, or no limit at all.',
    right: 'Rates up to a thousand million a millisecond are counted to the unit.',
    tests: ['expiry.test.ts'],
  },
  {
    kind: 'history-expires-with-its-first-hit',
    area: 'Expiry',
    fault:
      "A sliding state's expiry was set once, when it was made, so all of its history vanished a period later.",
    right:
      'What came later outlives what came first; the end of a fixed window alone is set by its first hit.',
    tests: ['expiry.test.ts'],
  },
  {
    kind: 'refused-call-extends-the-wait',
    area: 'Expiry',
    fault:
      'Every call, refused ones too, pushed the expiry out: who retries a little early was never let in.',
    right: 'A denial moves nothing.',
    tests: ['expiry.test.ts'],
    later: { needs: 'redis', what: 'the TTL does not move on denials', home: 'redis-keys.test.ts' },
  },
  {
    kind: 'expired-state-still-counted',
    area: 'Expiry',
    fault: 'A lagging copy still showed a key that had expired, and it counted.',
    right: 'A state whose end is past counts for nothing, present or not.',
    tests: ['expiry.test.ts'],
    later: { needs: 'redis', what: 'a replica that still holds the key', home: 'redis-keys.test.ts' },
  },

  // Outages
  {
    kind: 'silent-store-holds-requests',
    area: 'Outages',
    fault: 'Failing open covered errors and not silence: a stalled store held every request.',
    right: 'A hung store costs one deadline, and then the outage policy answers.',
    later: {
      needs: 'guards',
      what: 'a promise that never settles, a server that never answers, a closed port, a reset',
      home: 'outage.test.ts',
    },
  },
  {
    kind: 'unreachable-store-kills-the-process',
    area: 'Outages',
    fault: 'A script was loaded in the constructor with nobody to catch its rejection.',
    right: 'Making a store asks nothing of the server; the first check follows the outage policy.',
    later: { needs: 'redis', what: 'a client that rejects every command at boot', home: 'outage.test.ts' },
  },
  {
    kind: 'failed-refund-reaches-the-client',
    area: 'Outages',
    fault: 'Errors were swallowed for the check and not for the refund after the response.',
    right: 'The response is untouched, and the failure is told once.',
    later: { needs: 'adapters', what: 'a store that fails when the response ends', home: 'charging.test.ts' },
  },
  {
    kind: 'stuck-on-the-fallback',
    area: 'Outages',
    fault: 'After an outage decisions kept coming from the local stand-in.',
    right: 'The store decides again within one probe of its return.',
    later: { needs: 'guards', what: 'a store that heals', home: 'outage.test.ts' },
  },
  {
    kind: 'unbounded-offline-queue',
    area: 'Outages',
    fault:
      'Commands queued without bound while disconnected, and thousands of stale charges hit the wrong window.',
    right: 'Nothing is queued for a store that is not there, and nothing is sent twice.',
    later: { needs: 'redis', what: 'ten thousand checks while disconnected', home: 'outage.test.ts' },
  },

  // Reconnecting
  {
    kind: 'script-cache-lost',
    area: 'Reconnecting',
    fault: 'Scripts were called by id with no way back when the server had lost them.',
    right: 'A lost script is sent again, and nothing is charged twice.',
    later: { needs: 'redis', what: 'a flush of scripts between and amid calls', home: 'reconnect.test.ts' },
  },
  {
    kind: 'stuck-on-a-demoted-primary',
    area: 'Reconnecting',
    fault:
      'After a failover the connection stayed on the old primary, and every write was refused until a restart.',
    right: 'A refusal by a replica is known by its name, and the new primary is found.',
    later: { needs: 'redis', what: 'a server that turns read-only', home: 'reconnect.test.ts' },
  },
  {
    kind: 'call-before-the-client-is-ready',
    area: 'Reconnecting',
    fault: 'Calls before the connection stood used a script id that was not there yet.',
    right: 'The first call waits for the connection, or follows the outage policy.',
    later: { needs: 'redis', what: 'a check right after the client is made', home: 'reconnect.test.ts' },
  },

  // Clusters
  {
    kind: 'keys-over-several-slots',
    area: 'Clusters',
    fault: "One decision's keys lay in several slots, so in a cluster each failed.",
    right: 'One key a state; braces in a key do not steer its slot.',
    later: { needs: 'cluster', what: 'awkward keys on three nodes', home: 'cluster.test.ts' },
  },
  {
    kind: 'script-on-one-node-only',
    area: 'Clusters',
    fault: 'Scripts were loaded on one node, and decisions on the others failed.',
    right: 'Each node is given the script when it asks for it.',
    later: { needs: 'cluster', what: 'a hundred keys over empty script caches', home: 'cluster.test.ts' },
  },
  {
    kind: 'undeclared-script-keys',
    area: 'Clusters',
    fault: 'Scripts made up key names, or passed numbers as keys.',
    right: 'Every key that is touched is declared, and only keys are.',
    later: { needs: 'cluster', what: 'each script under a monitor of keys', home: 'cluster.test.ts' },
  },
  {
    kind: 'script-refused-by-old-servers',
    area: 'Clusters',
    fault: "Asking for the server's time in a script that writes was refused by old or managed servers.",
    right: 'The scripts run on every server that is supported, and replicas end with the same values.',
    later: { needs: 'redis', what: 'all scripts on each server at hand', home: 'redis-keys.test.ts' },
  },
  {
    kind: 'stores-decide-differently',
    area: 'Clusters',
    fault: 'One configuration limited other scopes, or other windows, in memory than in Redis.',
    right: 'The same calls at the same times get the same decisions on every store.',
    tests: ['parity.test.ts'],
  },

  // Memory and timers
  {
    kind: 'one-time-keys-never-leave',
    area: 'Memory and timers',
    fault: 'Records of clients that came once were never removed.',
    right: 'Each call clears away up to four expired states: memory follows the traffic down.',
    tests: ['memory-and-timers.test.ts'],
  },
  {
    kind: 'flood-erases-the-flooder',
    area: 'Memory and timers',
    fault:
      'At its cap a store dropped everything, or the oldest, so a flood of made-up keys erased the record of who made it.',
    right:
      'A live state is never dropped. New keys get an error that says the store is full, and an event does too.',
    tests: ['memory-and-timers.test.ts'],
  },
  {
    kind: 'timer-keeps-process-alive',
    area: 'Memory and timers',
    fault:
      'A housekeeping interval kept the process alive; a shared store started several that nobody could stop.',
    right: 'There is no housekeeping timer. A process that closes nothing ends by itself.',
    tests: ['memory-and-timers.test.ts'],
  },
  {
    kind: 'key-text-unbounded',
    area: 'Memory and timers',
    fault: "Users' text went into keys at any length and filled the store.",
    right: 'A long key is kept as its hash, apart from all others.',
    tests: ['memory-and-timers.test.ts'],
    later: { needs: 'redis', what: 'names of at most 512 bytes', home: 'redis-keys.test.ts' },
  },
  {
    kind: 'timer-at-module-load',
    area: 'Memory and timers',
    fault:
      'A timer at construction is forbidden at module level on edge runtimes, where its handle is but a number.',
    right: 'Loading and making a limiter need no timer, no I/O, no randomness and no clock.',
    tests: ['memory-and-timers.test.ts'],
  },

  // Keys
  {
    kind: 'mapped-ipv4-in-one-bucket',
    area: 'Keys',
    fault: 'IPv4 clients on a dual-stack socket were masked like IPv6, and all shared one bucket.',
    right: 'Each spelling of an IPv4 address is that address.',
    later: { needs: 'http', what: 'the default client key', home: 'client-keys.test.ts' },
  },
  {
    kind: 'full-ipv6-as-identity',
    area: 'Keys',
    fault: 'Keyed by the full IPv6 address, one host had 2⁶⁴ identities.',
    right: 'IPv6 clients are keyed by /64, whatever the spelling.',
    later: { needs: 'http', what: 'the default client key', home: 'client-keys.test.ts' },
  },
  {
    kind: 'client-written-address-trusted',
    area: 'Keys',
    fault: 'The entry of a forwarding header that the client writes was the key.',
    right: 'No header is trusted by default; with a trusted chain, the last address outside of it counts.',
    later: { needs: 'http', what: 'the trusted-proxy chain', home: 'client-keys.test.ts' },
  },
  {
    kind: 'equal-limits-share-a-counter',
    area: 'Keys',
    fault:
      'Two limits of one identity shared a counter: calls counted twice, or the stricter limit never opened.',
    right:
      'Limiter, policy and shape are part of the identity, and no two ever run together; a name used twice for unlike limits is an error.',
    tests: ['keys.test.ts'],
  },
  {
    kind: 'missing-key-becomes-a-bucket',
    area: 'Keys',
    fault: 'Without an address everyone fell into the bucket "undefined".',
    right: 'A missing key is an error that names it, and nothing is charged.',
    tests: ['keys.test.ts'],
    later: { needs: 'http', what: 'a request whose client is not known', home: 'client-keys.test.ts' },
  },
  {
    kind: 'reset-all-takes-too-much',
    area: 'Keys',
    fault: '"Reset all" matched every key of the database, and blocked it.',
    right: 'A reset names its key: there is no reset of all.',
    later: { needs: 'redis', what: 'no command that lists keys is ever sent', home: 'redis-keys.test.ts' },
  },
  {
    kind: 'reset-misses-its-key',
    area: 'Keys',
    fault: 'Resets looked under another name than charges, and silently did nothing.',
    right: 'A reset gives its key the whole quota, and no other.',
    tests: ['keys.test.ts'],
    later: { needs: 'redis', what: 'clients with a key prefix of their own', home: 'redis-keys.test.ts' },
  },

  // Composition
  {
    kind: 'refused-call-drains-other-limits',
    area: 'Composition',
    fault:
      'Calls that one limit refused still drained the others, so one noisy client emptied the quota of all.',
    right: 'All or nothing: a denied check charges no policy.',
    tests: ['composition.test.ts'],
  },
  {
    kind: 'wrong-limit-reported',
    area: 'Composition',
    fault: 'The headers described a limit other than the one that matters.',
    right:
      'A decision shows the policy that binds: the denying one that waits longest, else the one with least left.',
    tests: ['composition.test.ts'],
    later: { needs: 'http', what: 'headers of the policy that binds', home: 'headers.test.ts' },
  },
  {
    kind: 'outer-limit-applied-twice',
    area: 'Composition',
    fault: 'A limit for the whole app was applied twice where a route has its own.',
    right: 'One check applies each policy once.',
    tests: ['composition.test.ts'],
  },
  {
    kind: 'inner-limit-replaces-outer',
    area: 'Composition',
    fault: "A route's setting silently replaced the global limit.",
    right: 'Policies stack. One steps aside only where the key says `undefined` in its place.',
    tests: ['composition.test.ts'],
  },

  // Cost and configuration
  {
    kind: 'cost-above-the-limit-admitted',
    area: 'Cost and configuration',
    fault: 'A cost above the limit was accepted.',
    right: "It is denied for ever, with the reason `'never'`, and costs nothing.",
    tests: ['cost.test.ts'],
  },
  {
    kind: 'refused-cost-subtracted',
    area: 'Cost and configuration',
    fault:
      'A refused call with more cost than tokens left was still subtracted, and the key was pinned for months.',
    right: 'A denial takes nothing, whatever its cost.',
    tests: ['cost.test.ts'],
    later: { needs: 'redis', what: 'the TTL after a refused cost of a million', home: 'redis-keys.test.ts' },
  },
  {
    kind: 'question-is-charged',
    area: 'Cost and configuration',
    fault: 'A question of no cost counted.',
    right: 'A cost of 0 answers what a peek would, and stores nothing.',
    tests: ['cost.test.ts'],
  },
  {
    kind: 'nonsense-numbers-accepted',
    area: 'Cost and configuration',
    fault: 'NaN, negative or textual limits were taken: nothing was limited, or everything.',
    right:
      'Each is refused when it is given, by its name; a bad cost or policy of a call rejects, and nothing changes.',
    tests: ['configuration.test.ts'],
    later: { needs: 'http', what: 'no header ever says NaN', home: 'headers.test.ts' },
  },
  {
    kind: 'zero-means-unlimited',
    area: 'Cost and configuration',
    fault: 'A limit or rate of 0 meant no limit, or crashed by division.',
    right:
      'A limit of 0 denies everything; a rate of 0 gives the first fill and no more. Waits for them end at once.',
    tests: ['configuration.test.ts'],
  },
  {
    kind: 'changed-limit-ignored',
    area: 'Cost and configuration',
    fault: 'A changed limit was ignored while old state lived.',
    right: 'The limit is not part of the state: a change holds at once, and what was used stays used.',
    tests: ['dynamic-limits.test.ts'],
  },
  {
    kind: 'duration-honoured-in-one-place',
    area: 'Cost and configuration',
    fault: 'Durations in words were honoured in one place; elsewhere a default applied.',
    right: 'A duration is read once, when a policy is made, and holds wherever the policy is used.',
    tests: ['configuration.test.ts'],
  },
  {
    kind: 'default-burst-rounds-to-zero',
    area: 'Cost and configuration',
    fault: 'A default burst was found by whole division and became 0 for small limits.',
    right: 'There is no computed default: what is left out is an error that names it.',
    tests: ['configuration.test.ts'],
  },
  {
    kind: 'changed-window-half-applied',
    area: 'Cost and configuration',
    fault: 'Changing a rate or window at run time touched only part of the state.',
    right: 'Another shape is another state; the old one lives on untouched.',
    tests: ['dynamic-limits.test.ts'],
  },

  // Waiting
  {
    kind: 'long-delay-overflows',
    area: 'Waiting',
    fault: 'Delays above 24.8 days became 1 ms: long windows reset at once, and timers spun.',
    right: 'Windows and waits of up to 366 days are granted on their day, with one timer.',
    tests: ['waiting-bounds.test.ts'],
  },
  {
    kind: 'wait-not-abortable',
    area: 'Waiting',
    fault: 'A wait could not be aborted, or noticed it only at its turn and spent the token anyway.',
    right:
      "An abort ends a wait at once, with the signal's reason; nothing is charged, and the next in line is served.",
    tests: ['waiting-bounds.test.ts'],
  },
  {
    kind: 'wait-outlasts-its-bound',
    area: 'Waiting',
    fault: 'A bound on the wait was held against the first estimate only.',
    right: 'A wait that can not fit its bound is refused as soon as that is known, and none outlasts it.',
    tests: ['waiting-bounds.test.ts'],
  },
  {
    kind: 'wait-rounded-to-cycles',
    area: 'Waiting',
    fault: 'Waits were rounded down to whole cycles, so those of the next cycle ran in this one.',
    right: 'Waiters go at the instants at which they fit, and not a microsecond before.',
    tests: ['waiting.test.ts'],
  },
  {
    kind: 'waiters-wake-together',
    area: 'Waiting',
    fault: 'Each waiter worked out its delay from the same state, so all woke together and ran.',
    right: 'Each is admitted by a decision of its own, one after another.',
    tests: ['waiting.test.ts'],
  },
  {
    kind: 'small-requests-overtake',
    area: 'Waiting',
    fault: 'Waiters had no order: small ones overtook, large ones starved.',
    right: 'First come, first served for each key. A call that does not wait is decided by the state alone.',
    tests: ['waiting.test.ts'],
  },
  {
    kind: 'wait-beyond-capacity-never-ends',
    area: 'Waiting',
    fault: 'Waiting for more than the capacity never ended.',
    right: 'It is refused at once; the whole capacity is granted at once.',
    tests: ['waiting.test.ts'],
  },
  {
    kind: 'wait-queue-unbounded',
    area: 'Waiting',
    fault: 'Queues had no bound, and each lost round left something behind.',
    right:
      'The line is bounded, and a waiter that loses a hundred thousand rounds holds no more than one that loses none.',
    tests: ['waiting-bounds.test.ts'],
  },
  {
    kind: 'refused-wait-loses-refill',
    area: 'Waiting',
    fault: 'A refused reservation moved the mark of the last refill, and earned tokens were lost.',
    right: 'A refused wait changes nothing.',
    tests: ['waiting.test.ts'],
  },
  {
    kind: 'even-spacing-misplaced',
    area: 'Waiting',
    fault: 'Even spacing with a queue ran at half speed, or released all after the first at once.',
    right: 'Waiters for a leaky bucket go one interval apart.',
    tests: ['waiting.test.ts'],
  },

  // Packaging
  {
    kind: 'not-a-function-from-commonjs',
    area: 'Packaging',
    fault: 'The CommonJS build exported a namespace: "not a function" at start.',
    right: 'Every way of importing the package gives the same callables; a default export is not offered.',
    elsewhere: 'test/package',
  },
  {
    kind: 'types-fail-in-some-resolutions',
    area: 'Packaging',
    fault: 'One declaration file for two kinds of module broke the resolution of types.',
    right: 'A consumer compiles under every resolution that is offered, subpaths included.',
    elsewhere: 'test/package',
  },

  // Frameworks
  {
    kind: 'request-counted-twice',
    area: 'Frameworks',
    fault:
      'One request counted twice: by two spellings of a route, by an automatic HEAD route, by a limiter on router and route.',
    right: 'One request, one charge.',
    later: { needs: 'adapters', what: 'prefixes, HEAD, nested routers', home: 'adapters.test.ts' },
  },
  {
    kind: 'write-after-answer',
    area: 'Frameworks',
    fault: 'Headers were written after the answer had begun, or the chain went on after the refusal.',
    right: 'Exactly one response, and no error of it.',
    later: {
      needs: 'adapters',
      what: 'handlers that flush and throw, hooks that answer',
      home: 'adapters.test.ts',
    },
  },
  {
    kind: 'response-headers-read-only',
    area: 'Frameworks',
    fault: 'Setting headers on a response that is read-only or raw threw, or was lost.',
    right: 'Redirects, proxied responses and streams pass unchanged, with the headers.',
    later: { needs: 'adapters', what: 'fetch-style responses', home: 'adapters.test.ts' },
  },
  {
    kind: 'preflight-charged',
    area: 'Frameworks',
    fault: 'Preflights used up budget, and refusals without CORS headers looked like network failures.',
    right: 'Preflights are free, and a refusal goes through the CORS layer.',
    later: { needs: 'adapters', what: 'a CORS layer in front', home: 'adapters.test.ts' },
  },
  {
    kind: 'unknown-route-unlimited',
    area: 'Frameworks',
    fault: 'Unknown routes by-passed a global limit.',
    right: 'A global limit counts what is not found.',
    later: { needs: 'adapters', what: 'a global limit and 404', home: 'adapters.test.ts' },
  },
  {
    kind: 'messages-after-upgrade-free',
    area: 'Frameworks',
    fault: 'Only the upgrade of a socket was limited, and its messages were free.',
    right: 'Upgrades are refused before the switch; messages are checked by a limiter of their own.',
    later: { needs: 'adapters', what: 'a socket with two limits', home: 'adapters.test.ts' },
  },

  // Dynamic limits
  {
    kind: 'limiter-cached-across-limits',
    area: 'Dynamic limits',
    fault:
      'A cached limiter was used for all limits, and the first or the last configuration won everywhere.',
    right: 'Two names are two limits and two counts; one name with a limit a call is one count under each.',
    tests: ['dynamic-limits.test.ts'],
  },
  {
    kind: 'dynamic-window-ignored',
    area: 'Dynamic limits',
    fault: 'The limit of a call was honoured, and its window was not.',
    right: 'The policy of a call is used whole.',
    tests: ['dynamic-limits.test.ts'],
  },

  // Penalties
  {
    kind: 'endless-ban-shortened',
    area: 'Penalties',
    fault: 'A ban for ever was turned into a normal one by the next call.',
    right: 'A ban for ever ends when it is lifted.',
    later: { needs: 'bans', what: 'calls during a ban for ever', home: 'bans.test.ts' },
  },
  {
    kind: 'ban-extension-differs',
    area: 'Penalties',
    fault: 'Extending while exceeding extended on every hit in one store and never in another.',
    right: 'One rule on every store.',
    later: { needs: 'bans', what: 'hits during an extended ban', home: 'bans.test.ts' },
  },
  {
    kind: 'doubling-ban-overflows',
    area: 'Penalties',
    fault: 'Doubling bans overflowed.',
    right: 'They grow up to their cap, and stay there.',
    later: { needs: 'bans', what: 'a hundred violations', home: 'bans.test.ts' },
  },

  // Calendar
  {
    kind: 'month-of-fixed-length',
    area: 'Calendar',
    fault: 'A month as a fixed number of seconds since 1970 rolled over in mid-month.',
    right: 'A calendar month ends with the month.',
    later: { needs: 'calendar', what: 'months in UTC and in a zone', home: 'calendar.test.ts' },
  },
  {
    kind: 'day-change-booked-by-hours',
    area: 'Calendar',
    fault:
      'The change of day was seen by the date and booked by 24 hours, so a quota was reset on every request after midnight.',
    right: 'A calendar day ends at its midnight, in its zone.',
    later: { needs: 'calendar', what: 'midnights in UTC and in a zone', home: 'calendar.test.ts' },
  },

  // Metrics
  {
    kind: 'client-key-in-a-metric-label',
    area: 'Metrics',
    fault: 'Labels carried the client key: a series a client, for ever.',
    right: 'The number of series does not grow with the number of keys.',
    later: { needs: 'metrics', what: 'ten thousand keys', home: 'metrics.test.ts' },
  },

  // Clocks
  {
    kind: 'clock-step-locks-out',
    area: 'Clocks',
    fault:
      'A step back of the clock made the time since negative: tokens sank, and clients were locked out for the size of the step.',
    right:
      'Through a small step time stands still; a large one moves the state along, and keeps what was used. The wall clock is read once.',
    tests: ['clocks.test.ts'],
  },
  {
    kind: 'lagging-clock-refills-twice',
    area: 'Clocks',
    fault: 'Hosts whose clocks lag moved the mark back, and the next one refilled the same second again.',
    right: 'The mark never goes back within a span: what was refilled once is not refilled again.',
    tests: ['clocks.test.ts'],
  },
] as const satisfies readonly Fault[]

/** The kinds, by name. */
export type FaultKind = (typeof LEDGER)[number]['kind']
