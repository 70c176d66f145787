/** Two ways to the same answer, timed alternately so that both meet the same conditions. */
export interface Contest {
  name: string
  product: () => Promise<unknown>
  bare: () => Promise<unknown>
}

export interface Result {
  name: string
  /** Medians in milliseconds. */
  product: number
  bare: number
}

const usualWarmUps = 5

export async function measure(
  { name, product, bare }: Contest,
  rounds: number,
  warmUps = usualWarmUps,
): Promise<Result> {
  const times = { product: [] as number[], bare: [] as number[] }
  for (let round = -warmUps; round < rounds; round++) {
    const productTime = await timed(product)
    const bareTime = await timed(bare)
    if (round < 0) continue
    times.product.push(productTime)
    times.bare.push(bareTime)
  }
  return { name, product: median(times.product), bare: median(times.bare) }
}

/** How long the work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5)
}

/** @param share such as 0.99 */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** A table in Markdown, with columns of even width. */
export function table(header: string[], rows: string[][]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(header), rule, ...rows.map(line)].join('\n')
}
