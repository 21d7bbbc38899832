import { CommonLogTime } from './common-log-time.ts'
import { isoTimeMs } from './iso-time.ts'
import { isObject, type JsonObject } from './json-field.ts'

/** What a line of a JSON log tells of its request, whichever server wrote it. */
export interface ToldRequest {
  readonly timeMs: number | undefined
  readonly status: number | undefined
  readonly ip: string | undefined
  /** What was asked for, with its query. */
  readonly target: string | undefined
}

/** Told apart by what only they have: Caddy's `request` and pino-http's `req` are objects; nginx's fields are its variables. */
export function toldRequest(line: JsonObject): ToldRequest {
  const { request, req } = line
  if (isObject(request)) return caddy(line, request)
  return isObject(req) ? pinoHttp(line, req) : nginx(line)
}

function caddy(line: JsonObject, request: JsonObject): ToldRequest {
  return {
    timeMs: secondsOrIso(line['ts']),
    status: statusOf(line['status']),
    // The client behind trusted proxies, as Caddy found it; the peer itself before Caddy 2.7.
    ip: textOf(request['client_ip']) ?? textOf(request['remote_ip']),
    target: textOf(request['uri']),
  }
}

function pinoHttp(line: JsonObject, req: JsonObject): ToldRequest {
  const { time, res } = line
  return {
    timeMs: typeof time === 'number' ? time : isoOf(time),
    status: isObject(res) ? statusOf(res['statusCode']) : undefined,
    ip: textOf(req['remoteAddress']),
    target: textOf(req['url']),
  }
}

const commonTime = new CommonLogTime()

function nginx(line: JsonObject): ToldRequest {
  const { msec, time_local: local } = line
  const timeMs = msec === undefined ? isoOf(line['time_iso8601']) : secondsOrIso(msec)
  return {
    timeMs:
      timeMs ?? (typeof local === 'string' ? commonTime.parse(Buffer.from(`[${local}]`), 0) : undefined),
    status: statusOf(line['status']),
    ip: textOf(line['remote_addr']),
    target: targetOf(line['request']) ?? textOf(line['request_uri']) ?? textOf(line['uri']),
  }
}

/** `GET /a?b HTTP/1.1`. */
function targetOf(request: unknown): string | undefined {
  return typeof request === 'string' ? request.split(' ', 2)[1] : undefined
}

/** Seconds with a fraction, as a number or as text; or a time in ISO 8601. */
function secondsOrIso(value: unknown): number | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))
  return isNumber ? Math.round(Number(value) * 1e6) / 1000 : isoOf(value)
}

function isoOf(value: unknown): number | undefined {
  return typeof value === 'string' ? isoTimeMs(value) : undefined
}

function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof status === 'number' && Number.isInteger(status) && status >= 0 && status <= 999
    ? status
    : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
