/** `roomkeeper api`: any call, by its name in the contract, for what has no command of its own. */
import { type Route, type RouteName, routes } from '@roomkeeper/contract'
import { Argument, type Command } from 'commander'
import { oneOf } from '#arguments/one-of.ts'
import { connect, type Server } from '#connection/connect.ts'
import { cutOffAsFailure, passToStdout } from '#connection/receive-file.ts'
import { usageFailure } from '#failure.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions } from '#operations/wait-options.ts'
import { outputOf } from '#output/output-options.ts'
import { jsonText, printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import { writeLine } from '#terminal/say.ts'
import { type ApiOptions, collectField, inputOf } from './input-of.ts'
import { routeView } from './route-view.ts'

const names = Object.keys(routes) as RouteName[]

export function addApi(program: Command): void {
  const command = program
    .command('api')
    .description('Make any call of the API by its name; without a name, list them')
    .addArgument(new Argument('[call]', 'such as audit').argParser(oneOf(names)))
    .option('-f, --field <name=value>', 'a field of path, query or body; values other than texts as JSON', collectField)
    .option('--input <file>', 'the body as JSON or YAML (- for stdin)')
  addWaitOptions(command)
    .addHelpText(
      'after',
      `
Fields and answers are those of the API, with names instead of the wire's numbers. Without -o, an answer is JSON.
Secrets are no arguments: give them with --input.

Examples:
  roomkeeper api
  roomkeeper api audit -f size=5
  roomkeeper api verifyRoomBackup -f id=4f9c… --wait`,
    )
    .action(async (name: RouteName | undefined, options: ApiOptions) => {
      if (name === undefined) await printList(routeView, names.map(rowOf), outputOf(command))
      else await callByName(await connect(), name, command, await inputOf(name, options))
    })
}

function rowOf(name: RouteName) {
  const { method, path, access, summary }: Route = routes[name]
  return { name, method, path, access, summary }
}

async function callByName(server: Server, name: RouteName, command: Command, input: object): Promise<void> {
  const route: Route = routes[name]
  if (route.upload !== undefined) throw usageFailure(`${name} takes a file: see 'roomkeeper rooms restore'.`)
  if (route.stream !== undefined) {
    const { body } = await server.open(name, input as never)
    return body === null ? undefined : cutOffAsFailure(passToStdout(body, route.stream))
  }
  const { status, body } = (await server.call(name, input as never)) as { status: number; body?: unknown }
  if (status === 202) {
    const { operationId } = body as { operationId: string }
    return finishStart(server, command, { doing: name, done: `${name}: done`, operationId })
  }
  if (body !== undefined) await printAnswer(body, command)
}

async function printAnswer(body: unknown, command: Command): Promise<void> {
  const { format } = outputOf(command)
  if (format === 'table' || typeof body !== 'object' || body === null) return writeLine(jsonText(body, 2))
  await printOne(body, '', { format, isQuiet: false })
}
