/** Limits the event streams of a process: each keeps a connection and memory for as long as its reader likes. */
import type { Caller } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'

/** Generous: all tabs of a browser share one stream, and one whose reader has vanished counts until that is noticed. */
export const mostStreams = { ofSessionOrToken: 20, ofOperator: 100, ofProcess: 2_000 }

type Reader = Pick<Caller, 'operatorId' | 'tokenHash'>

/** @returns takes a place until the signal fires; it throws the Refusal `too-many-streams` */
export function createStreamLimit(): (reader: Reader, over: AbortSignal) => void {
  const taken = new Set<Reader>()
  return (reader, over) => {
    const ofOperator = [...taken].filter(({ operatorId }) => operatorId === reader.operatorId)
    const ofSessionOrToken = ofOperator.filter(({ tokenHash }) => tokenHash.equals(reader.tokenHash))
    const isFull =
      taken.size >= mostStreams.ofProcess ||
      ofOperator.length >= mostStreams.ofOperator ||
      ofSessionOrToken.length >= mostStreams.ofSessionOrToken
    if (isFull) throw refuse('too-many-streams')
    const place = { operatorId: reader.operatorId, tokenHash: reader.tokenHash }
    taken.add(place)
    over.addEventListener('abort', () => taken.delete(place), { once: true })
  }
}
