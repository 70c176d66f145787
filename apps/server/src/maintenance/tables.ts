/** Whether the console is in maintenance. */
import type { Defaulted } from '#platform/column-types.ts'

export interface MaintenanceTables {
  maintenance: MaintenanceTable
}

export interface MaintenanceTable {
  isSet: Defaulted<true>
  isOn: boolean
  message: string
}
