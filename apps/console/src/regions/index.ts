/** Regions: their connection, capacity and state; the field for one. */
export { RegionSelect, useRegionOptions } from './RegionSelect.tsx'
export { RegionsTab } from './RegionsTab.tsx'
