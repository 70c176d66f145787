export { findAsset, isAssetName, startKeepingAssets } from './console-assets.ts'
