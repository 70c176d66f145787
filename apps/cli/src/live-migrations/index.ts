/** `roomkeeper migrate`: live migrations. */
import type { Command } from 'commander'
import { addShowMigrations } from './show-migrations.ts'
import { addStartMigration } from './start-migration.ts'

export function addMigrate(program: Command): void {
  const migrate = program.command('migrate').description('Live migrations: project rooms move between regions')
  addShowMigrations(migrate)
  addStartMigration(migrate)
}
