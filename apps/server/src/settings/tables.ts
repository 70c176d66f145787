/** What is set for everybody. */
import type { Defaulted } from '#platform/column-types.ts'

export interface SettingTables {
  cloudConfiguration: CloudConfigurationTable
}

export interface CloudConfigurationTable {
  isSet: Defaulted<true>
  youtubeIdentifier: string
}
