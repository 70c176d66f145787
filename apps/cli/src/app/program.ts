/** All commands in one tree. */
import { Command } from 'commander'
import { addActivity } from '#activity/index.ts'
import { addApi } from '#api/index.ts'
import { addBackups } from '#backups/index.ts'
import { addBulks } from '#bulks/index.ts'
import type { Run } from '#cli.ts'
import { addCompletion } from '#completion/index.ts'
import { profileName } from '#connection/stored-login.ts'
import { addCustomers } from '#customers/index.ts'
import { addDoctor } from '#doctor/index.ts'
import { addMigrate } from '#live-migrations/index.ts'
import { addOperations } from '#operations/index.ts'
import { addOutputOptions } from '#output/output-options.ts'
import { addAttention, addCapacity, addToday } from '#overview/index.ts'
import { addRegions } from '#regions/index.ts'
import { addRooms } from '#rooms/index.ts'
import { addSession } from '#session/index.ts'
import type { Terminal } from '#terminal/terminal.ts'
import packageJson from '../../package.json' with { type: 'json' }

export function createProgram(run: Run, terminal: Terminal): Command {
  const program = new Command('roomkeeper')
    .description('Project rooms from the command line.')
    .version(packageJson.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      getOutHelpWidth: () => (terminal.showsOutput ? terminal.columns : null) ?? usualColumns,
      getErrHelpWidth: () => terminal.barColumns ?? usualColumns,
      // Failures are printed in one place, for people or as JSON.
      outputError: () => undefined,
    })
    .exitOverride()
    .addHelpText('after', afterHelp)
  addOutputOptions(program)
  program.option('--profile <profile>', 'the stored login to use (default: the current one)', profileName)
  addSession(program, run)
  addRooms(program, run)
  addBulks(program, run)
  addCustomers(program, run)
  addBackups(program, run)
  addRegions(program, run)
  addMigrate(program, run)
  addOperations(program, run)
  addAttention(program, run)
  addToday(program, run)
  addCapacity(program, run)
  addActivity(program, run)
  addDoctor(program, run)
  addApi(program, run)
  addCompletion(program, run)
  return program
}

/** Of help that no terminal shows. */
const usualColumns = 80

const afterHelp = `
Environment:
  ROOMKEEPER_URL, ROOMKEEPER_TOKEN   server and API token; they win over stored logins
  ROOMKEEPER_ALLOW_HTTP=1            the token may be sent to other machines without https
  NO_COLOR, FORCE_COLOR              no colours, or colours also where there is no terminal
  XDG_CONFIG_HOME                    where logins are stored (default: ~/.config)

Exit codes:
  0 done   1 refused by the server   2 wrong usage   3 server not reachable   4 operation failed
  5 differences or findings   70 a mistake in this program   124 --timeout is over
  130 interrupted   141 the reader of the output has gone

Examples:
  roomkeeper login
  roomkeeper rooms list --state ERROR
  roomkeeper rooms apply -f rooms.yaml --dry-run`
