/** What is set for all regions. */
export { ConfigurationTab } from './ConfigurationTab.tsx'
