/** The check of a store without a mark: see marked-store.ts. */
export async function anyPlace(): Promise<void> {}
