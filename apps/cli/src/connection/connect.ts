/** The server as typed calls, by the contract's route table. */
import { randomUUID } from 'node:crypto'
import {
  type Client,
  createClient,
  englishReason,
  honoursKey,
  ProblemError,
  type Route,
  type RouteName,
  routes,
  selectionChanges,
} from '@roomkeeper/contract'
import { ZodError } from 'zod'
import { Failure } from '#failure.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { unlessStopped } from '#terminal/unless-stopped.ts'
import { checkInput } from './check-input.ts'
import { chooseLogin } from './choose-login.ts'
import { type Connection, fetchWithRetries } from './retries.ts'
import type { Login } from './stored-login.ts'

/** The calls with POST that change nothing. */
const reading: readonly RouteName[] = ['listRooms', 'preflightBulk', 'preflightLiveMigration']

export interface Server extends Client {
  connection: Connection
  /** The same server, whose calls end with the signal. */
  within(signal: AbortSignal): Server
}

/** As whom stored logins and the environment say. @param profile absent: the current one @throws Failure */
export async function connect(terminal: Terminal, profile?: string): Promise<Server> {
  return connectAs(terminal, await chooseLogin(terminal, profile))
}

/**
 * Calls throw `Failure`. A call that starts an operation carries a key of its own, so that it starts one operation
 * however often it has to be sent.
 */
export function connectAs(terminal: Terminal, login: Login): Server {
  return serverOn({ terminal, login, hasAnswered: false })
}

function serverOn(connection: Connection, signal?: AbortSignal): Server {
  const inTime = <Input extends CallParts>(input: Input): Input =>
    signal === undefined ? input : { ...input, signal: input.signal ?? signal }
  return {
    connection,
    within: (given) => serverOn(connection, given),
    async call(name, input) {
      const answer = await callOn(connection, name, inTime(input), (client, given) => client.call(name, given))
      // Without a body that can be relied on.
      if (!Object.hasOwn(routes[name].answers, answer.status)) throw notARoomkeeperServer()
      return answer
    },
    open: (name, input) => callOn(connection, name, inTime(input), (client, given) => client.open(name, given)),
  }
}

interface CallParts {
  query?: unknown
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

async function callOn<Input extends CallParts, Result>(
  connection: Connection,
  name: RouteName,
  input: Input,
  make: (client: Client, input: Input) => Promise<Result>,
): Promise<Result> {
  const route: Route = routes[name]
  // This check comes before anything is sent: afterwards, the outcome of the call would be unknown.
  input.signal?.throwIfAborted()
  checkInput(route, input)
  if (!honoursKey(route)) return callWith(connection, name, input, make)
  const key = randomUUID()
  return unlessStopped(connection.terminal, { interrupted: outcomeUnknown }, (stopped) => {
    const signal = input.signal === undefined ? stopped : AbortSignal.any([input.signal, stopped])
    return callWith(connection, name, { ...input, signal, headers: { 'idempotency-key': key, ...input.headers } }, make)
  })
}

/** Limits reads that wait for no region: the database gives them up after 15 s. */
const readSeconds = 15
/** An edit is answered after up to 25 s, and after the wait for a database. */
const usualSeconds = 90

async function callWith<Input extends CallParts, Result>(
  connection: Connection,
  name: RouteName,
  input: Input,
  make: (client: Client, input: Input) => Promise<Result>,
): Promise<Result> {
  const route: Route = routes[name]
  const isShort = route.method === 'GET' || name === 'listRooms'
  const isRepeatable = route.method === 'GET' || honoursKey(route) || reading.includes(name)
  const usual = isShort ? readSeconds : usualSeconds
  const answerSeconds = route.stream === undefined ? usual : null
  let requestId: string | null = null
  const client = createClient({
    base: connection.login.url,
    token: () => connection.login.token,
    async fetch(url, init) {
      const options = { isRepeatable, answerSeconds, signal: input.signal ?? null }
      const response = await fetchWithRetries(connection, String(url), init ?? {}, options)
      requestId = response.headers.get('x-request-id')
      return response
    },
  })
  try {
    return await make(client, input)
  } catch (error) {
    if (error instanceof ProblemError) throw refusalOf(error, requestId)
    if (!(error instanceof SyntaxError || error instanceof ZodError)) throw error
    throw notARoomkeeperServer()
  }
}

export function notARoomkeeperServer(): Failure {
  const message = 'What answers at this address is no Roomkeeper server, or one of another release.'
  return new Failure('unreachable', message)
}

/** A user who stops the program before the server has answered does not know whether something was started. */
function outcomeUnknown(): Failure {
  const message = 'Stopped before the server answered. The operation may have started all the same.'
  return new Failure('interrupted', message, { hints: ['roomkeeper operations list'] })
}

const codesOfDatabase = ['database-unreachable', 'database-busy']

export function refusalOf(error: ProblemError, requestId: string | null): Failure {
  const { problem } = error
  // A proxy before the server has no codes.
  const isGateway = problem.type === 'about:blank' && problem.status >= 502 && problem.status <= 504
  const kind = isGateway || codesOfDatabase.includes(error.code) ? 'unreachable' : 'refused'
  return new Failure(kind, problem.detail, {
    ...(problem.type === 'about:blank' ? {} : { code: error.code, params: problem.params, title: problem.title }),
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    hints: selectionChanges(problem).map(englishReason),
    requestId,
  })
}
