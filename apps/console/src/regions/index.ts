/** Regions: their connection, capacity and state. */
export { RegionsTab } from './RegionsTab.tsx'
