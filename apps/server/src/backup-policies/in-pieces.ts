/**
 * Repeats a piece of work, each time a statement or a short transaction of its own, until there is no more of it or the
 * time is over: what is left then is for the next time.
 * @param piece says whether there may be more
 * @param until a time of `performance.now()`
 */
export async function inPieces(piece: () => Promise<boolean>, until: number): Promise<void> {
  while (performance.now() < until && (await piece()));
}
