/** The settings for all regions. */
export { ConfigurationTab } from './ConfigurationTab.tsx'
