/** A statement that takes longer no longer holds up those who came later: they begin their own. */
const holdsUpMilliseconds = 50

/** Calls `goOn` once: when the statement has ended or failed, or has held up others for long enough. */
export function releaseAfter(statement: Promise<unknown>, goOn: () => void): void {
  const once = () => {
    if (isOver) return
    isOver = true
    clearTimeout(late)
    goOn()
  }
  let isOver = false
  const late = setTimeout(once, holdsUpMilliseconds)
  statement.then(once, once)
}
