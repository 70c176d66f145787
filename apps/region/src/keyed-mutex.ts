/** Runs work with the same key one after another, and work with different keys in parallel. */
export interface KeyedMutex {
  runExclusive<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return {
    runExclusive(key, work) {
      const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
      const settled = mine.then(
        () => {},
        () => {},
      )
      last.set(key, settled)
      void settled.then(() => {
        if (last.get(key) === settled) last.delete(key)
      })
      return mine
    },
  }
}
