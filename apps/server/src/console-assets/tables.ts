export interface ConsoleAssetTables {
  consoleAssets: ConsoleAssetsTable
}

interface ConsoleAssetsTable {
  name: string
  gzipped: Buffer
  neededUntil: string
}
