/** The tabs of the Manage Cloud dialog, as the address of a page names them: `?cloud=regions`. */
export const cloudTabs = ['configuration', 'regions', 'migration', 'backups', 'monitoring'] as const
export type CloudTab = (typeof cloudTabs)[number]

/** For `select`: the parameters that are the page's own. */
export function withoutCloudParam<Own extends object>({ cloud: _, ...own }: Own & { cloud?: CloudTab | undefined }) {
  return own as unknown as Own
}
