/** @returns what belongs to the attempt, followed by what belongs to each earlier one, the first attempt first */
export function ofAttempts<T>(attempt: number, ofAttempt: (attempt: number) => T): [T, ...T[]] {
  return [ofAttempt(attempt), ...Array.from({ length: attempt - 1 }, (_, index) => ofAttempt(index + 1))]
}
