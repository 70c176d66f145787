/** Work on the same thing one after another, on different things side by side. */
export interface Turns {
  take<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    take(key, work) {
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
