export { findAsset, isAssetName, startKeepingAssets } from './console-assets.ts'
export type { ConsoleAssetTables } from './tables.ts'
