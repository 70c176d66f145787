/** The table with the single row of the maintenance mode. */
import type { Defaulted } from '#platform/column-types.ts'

export interface MaintenanceTables {
  maintenance: MaintenanceTable
}

export interface MaintenanceTable {
  isSet: Defaulted<true>
  isOn: boolean
  message: string
}
