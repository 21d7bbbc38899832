/** One request, to be written in any dialect. */
export interface LoggedRequest {
  readonly ip: string
  readonly timeMs: number
  readonly target: string
  readonly status: number
}

/** The requests of a log in Common Log Format, read with a pattern that shares nothing with the replay. */
export function requestsOf(log: string): LoggedRequest[] {
  return log
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, ip = '', time = '', target = '', status = ''] =
        /^(\S+) \S+ \S+ \[([^\]]+)\] "\S+ (\S+)[^"]*" (\d+)/.exec(line) ?? []
      const timeMs = Date.parse(time.replace(/^(..)\/(...)\/(....):/, '$1 $2 $3 '))
      return { ip, timeMs, target, status: Number(status) }
    })
}

/** A line of each dialect that a replay reads. */
export const DIALECTS: Readonly<Record<string, (request: LoggedRequest) => string>> = {
  'Common Log Format': common,
  'nginx with time_iso8601': ({ ip, timeMs, target, status }) =>
    JSON.stringify({
      time_iso8601: new Date(timeMs).toISOString().replace(/\.000Z$/, '+00:00'),
      remote_addr: ip,
      request: `GET ${target} HTTP/1.1`,
      status: String(status),
    }),
  'nginx with msec': ({ ip, timeMs, target, status }) =>
    `{ "msec": ${(timeMs / 1000).toFixed(3)}, "remote_addr": "${ip}", "request": ${JSON.stringify(`GET ${target} HTTP/2.0`)}, "status": ${status} }`,
  'nginx with time_local': (request) => {
    const [, time] = /\[(.*)\]/.exec(common(request)) ?? []
    const { ip, target, status } = request
    return JSON.stringify({ time_local: time, remote_addr: ip, request: `GET ${target} HTTP/1.1`, status })
  },
  Caddy: ({ ip, timeMs, target, status }) =>
    JSON.stringify({
      level: 'info',
      ts: timeMs / 1000,
      logger: 'http.log.access.log0',
      msg: 'handled request',
      request: {
        remote_ip: '192.0.2.1',
        remote_port: '53028',
        client_ip: ip,
        proto: 'HTTP/2.0',
        method: 'GET',
        host: 'example.com',
        uri: target,
        headers: { 'X-Client': [ip] },
      },
      duration: 0.001,
      size: 10,
      status,
    }),
  'pino-http': ({ ip, timeMs, target, status }) =>
    JSON.stringify({
      level: 30,
      time: timeMs,
      pid: 1,
      hostname: 'web',
      req: { id: 1, method: 'GET', url: target, query: {}, headers: {}, remoteAddress: ip, remotePort: 1 },
      res: { statusCode: status, headers: {} },
      responseTime: 1,
      msg: 'request completed',
    }),
}

function common({ ip, timeMs, target, status }: LoggedRequest): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) (\S+) /.exec(new Date(timeMs).toUTCString()) ?? []
  return `${ip} - - [${day}/${month}/${year}:${time} +0000] "GET ${target} HTTP/1.1" ${status} 1`
}
