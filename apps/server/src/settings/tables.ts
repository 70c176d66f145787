/** The table of settings that hold for all regions. */
import type { Defaulted } from '#platform/column-types.ts'

export interface SettingTables {
  cloudConfiguration: CloudConfigurationTable
}

export interface CloudConfigurationTable {
  isSet: Defaulted<true>
  youtubeIdentifier: string
}
