import { describe, expect, it } from 'vitest'
import { Emitter } from './events.ts'

const detail = { code: 'a', message: 'b' }

describe('an emitter', () => {
  it('calls each listener with the detail, until it is undone', () => {
    const emitter = new Emitter()
    const heard: string[] = []
    const undo = emitter.on('warning', ({ code }) => heard.push(`first ${code}`))
    emitter.on('warning', ({ message }) => heard.push(`second ${message}`))
    emitter.emit('warning', detail)
    undo()
    undo()
    emitter.emit('warning', detail)
    emitter.emit('saturated', { store: 'memory', maxKeys: 1 })
    expect(heard).toEqual(['first a', 'second b', 'second b'])
  })

  it('calls a function that was added twice twice, and undoes one at a time', () => {
    const emitter = new Emitter()
    let calls = 0
    const listener = (): void => {
      calls++
    }
    const undo = emitter.on('warning', listener)
    emitter.on('warning', listener)
    emitter.emit('warning', detail)
    undo()
    emitter.emit('warning', detail)
    expect(calls).toBe(3)
  })

  it('lets no listener that throws keep the others, or the decision, from going on', async () => {
    const emitter = new Emitter()
    const heard: string[] = []
    const thrown = new Error('in a listener')
    emitter.on('warning', () => {
      throw thrown
    })
    emitter.on('warning', () => heard.push('second'))
    const surfaced = new Promise((resolve) => {
      const others = process.rawListeners('uncaughtException')
      process.removeAllListeners('uncaughtException')
      process.once('uncaughtException', (error) => {
        for (const other of others) process.on('uncaughtException', other as NodeJS.UncaughtExceptionListener)
        resolve(error)
      })
    })
    emitter.emit('warning', detail)
    expect(heard).toEqual(['second'])
    expect(await surfaced).toBe(thrown)
  })
})
