/** Lists that the server answers in pages, as one stream of rows. */

interface Page<Row> {
  data: readonly Row[]
  totalPages: number
}

/** @param limit how many rows at most; absent: all */
export async function* rowsOfPages<Row>(
  read: (page: number, size: number) => Promise<Page<Row>>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Row> {
  const size = Math.min(limit, rowsPerPage)
  let left = limit
  for (let page = 0; left > 0; page += 1) {
    const { data, totalPages } = await read(page, size)
    yield* data.slice(0, left)
    left -= data.length
    if (data.length === 0 || page + 1 >= totalPages) return
  }
}

/** The server answers with no more rows. */
export const rowsPerPage = 100
