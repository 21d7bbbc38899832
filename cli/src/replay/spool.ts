import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode, Failure, systemReason } from '../failure.ts'
import { printable } from '../text.ts'
import { EventBatch } from './event-batch.ts'

/**
 * Requests on the disk, to be gone through more than once: a pipe is read only once, and a log parsed only once.
 *
 * The file loses its name as soon as it is open, so the system takes it away with the process, however that ends.
 */
export class Spool {
  readonly #file: FileHandle
  #events = 0
  #blocks = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async create(): Promise<Spool> {
    const path = join(tmpdir(), `headgate-replay-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600).catch(cannotSpool)
    try {
      await rm(path)
    } catch (error) {
      await file.close()
      cannotSpool(error)
    }
    return new Spool(file)
  }

  /** Requests written so far. */
  get size(): number {
    return this.#events
  }

  /** Only the last batch may have room left. */
  async write(batch: EventBatch): Promise<void> {
    const { bytes } = batch
    const at = this.#blocks * bytes.length
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file
        .write(bytes, done, bytes.length - done, at + done)
        .catch(cannotSpool)
      done += bytesWritten
    }
    this.#blocks++
    this.#events += batch.size
  }

  /** All of it, from the first request, in one batch that is filled again. */
  async *batches(): AsyncGenerator<EventBatch> {
    const batch = new EventBatch()
    const { bytes } = batch
    let left = this.#events
    for (let block = 0; block < this.#blocks; block++) {
      for (let done = 0; done < bytes.length; ) {
        const { bytesRead } = await this.#file
          .read(bytes, done, bytes.length - done, block * bytes.length + done)
          .catch(cannotSpool)
        if (bytesRead === 0) throw new Failure('the temporary file was cut off by another process.')
        done += bytesRead
      }
      batch.size = Math.min(left, EventBatch.CAPACITY)
      left -= batch.size
      yield batch
    }
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

function cannotSpool(error: unknown): never {
  const folder = printable(tmpdir())
  const isForbidden = errorCode(error) === 'EACCES' || errorCode(error) === 'EROFS'
  const reason = isForbidden ? 'nothing may be written there' : systemReason(error)
  throw new Failure(
    `can't keep the requests in a temporary file under ${folder}: ${reason}; TMPDIR names another folder.`,
  )
}
