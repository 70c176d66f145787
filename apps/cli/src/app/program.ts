/** All commands in one tree. */
import { Command } from 'commander'
import { addApi } from '#api/index.ts'
import { addBackups } from '#backups/index.ts'
import { addBulks } from '#bulks/index.ts'
import { addCompletion } from '#completion/index.ts'
import { addDoctor } from '#doctor/index.ts'
import { addMigrate } from '#live-migrations/index.ts'
import { addOperations } from '#operations/index.ts'
import { addOutputOptions } from '#output/output-options.ts'
import { addRegions } from '#regions/index.ts'
import { addRooms } from '#rooms/index.ts'
import { addSession } from '#session/index.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** @param onCall gets the command that is about to run */
export function createProgram(onCall: (command: Command) => void): Command {
  const program = new Command('roomkeeper')
    .description('Project rooms from the command line.')
    .version(packageJson.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    // Failures are printed in one place, for people or as JSON.
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .hook('preAction', (_, command) => onCall(command))
    .addHelpText('after', afterHelp)
  addOutputOptions(program)
  addSession(program)
  addRooms(program)
  addBulks(program)
  addBackups(program)
  addRegions(program)
  addMigrate(program)
  addOperations(program)
  addDoctor(program)
  addApi(program)
  addCompletion(program)
  return program
}

const afterHelp = `
Environment:
  ROOMKEEPER_URL, ROOMKEEPER_TOKEN   server and API token; they win over the stored login
  ROOMKEEPER_ALLOW_HTTP=1            the token may be sent to other machines without https
  NO_COLOR, FORCE_COLOR              no colours, or colours also where there is no terminal
  XDG_CONFIG_HOME                    where the login is stored (default: ~/.config)

Exit codes:
  0 done   1 refused by the server   2 wrong usage   3 server not reachable   4 operation failed
  5 differences or findings   70 a mistake in this program   124 --timeout is over
  130 interrupted   141 whoever read the output has gone

Examples:
  roomkeeper login
  roomkeeper rooms list --state ERROR
  roomkeeper rooms apply -f rooms.yaml --dry-run`
