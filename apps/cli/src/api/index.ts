/** `roomkeeper api`: any call, by its name in the contract, for what has no command of its own. */
import { type Route, type RouteName, routes } from '@roomkeeper/contract'
import { Argument, type Command } from 'commander'
import { oneOf } from '#arguments.ts'
import type { Cli, Run } from '#cli.ts'
import { cutOffAsFailure, passToStdout } from '#connection/receive-file.ts'
import { usageFailure } from '#failure.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { jsonText } from '#output/formats.ts'
import { addListOptions, type ListOptions, type Output } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import type { View } from '#output/view.ts'
import { type ApiOptions, collectField, inputOf } from './input-of.ts'

const names = Object.keys(routes) as RouteName[]

type Row = Pick<Route, 'method' | 'path' | 'access' | 'summary'> & { name: string }

const routeView: View<Row> = {
  name: ({ name }) => name,
  none: '',
  fields: ['name', 'method', 'path', 'access', 'summary'],
  columns: [
    { title: 'CALL', rank: 0, value: ({ name }) => name },
    { title: 'WHO', rank: 3, value: ({ access }) => access },
    { title: 'METHOD', rank: 2, value: ({ method }) => method },
    { title: 'PATH', rank: 1, value: ({ path }) => path },
    { title: 'WHAT', rank: 4, value: ({ summary }) => summary },
  ],
}

export function addApi(program: Command, run: Run): void {
  const command = program
    .command('api')
    .description('Make any call of the API by its name; without a name, list them')
    .addArgument(new Argument('[call]', 'such as audit').argParser(oneOf(names)))
    .option('-f, --field <name=value>', 'a field of path, query or body; values other than texts as JSON', collectField)
    .option('--input <file>', 'the body as JSON or YAML (- for stdin)')
  addWaitOptions(addListOptions(command, routeView.fields))
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
    .action(
      run(async (cli, name: RouteName | undefined, options: ApiOptions & WaitOptions & ListOptions) => {
        if (name === undefined) await printList(routeView, names.slice(0, options.limit).map(rowOf), cli.output)
        else await callByName(cli, name, await inputOf(cli.terminal, name, options), options)
      }),
    )
}

function rowOf(name: RouteName) {
  const { method, path, access, summary }: Route = routes[name]
  return { name, method, path, access, summary }
}

async function callByName(cli: Cli, name: RouteName, input: object, options: WaitOptions & ListOptions): Promise<void> {
  if (cli.output.json !== undefined || cli.output.columns !== undefined || options.limit !== undefined)
    throw usageFailure('--json, --columns and --limit go with the list of calls.')
  const server = await cli.connect()
  const route: Route = routes[name]
  if (route.upload !== undefined) throw usageFailure(`${name} takes a file: see 'roomkeeper rooms restore'.`)
  if (route.stream !== undefined) {
    const { body } = await server.open(name, input as never)
    return body === null ? undefined : cutOffAsFailure(passToStdout(cli.terminal, body, route.stream))
  }
  const { status, body } = (await server.call(name, input as never)) as { status: number; body?: unknown }
  if (status === 202) {
    const { operationId } = body as { operationId: string }
    return finishStart(cli, server, options, { doing: name, done: `${name}: done`, operationId })
  }
  if (body !== undefined) await printAnswer(body, cli.output)
}

async function printAnswer(body: unknown, output: Output): Promise<void> {
  if (output.format === 'table' || typeof body !== 'object' || body === null)
    return output.terminal.writeLine(jsonText(body, 2))
  await printOne(body, '', { ...output, isQuiet: false })
}
