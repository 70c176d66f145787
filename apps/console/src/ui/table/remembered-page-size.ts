/** Rows per page, remembered per table in local storage. */
const keyOf = (table: string) => `roomkeeper.rows.${table}`

export function rememberedPageSize<Size extends number>(table: string, sizes: readonly Size[], fallback: Size): Size {
  const saved = Number(localStorage.getItem(keyOf(table)))
  return sizes.find((each) => each === saved) ?? fallback
}

export function rememberPageSize(table: string, size: number): void {
  localStorage.setItem(keyOf(table), String(size))
}
