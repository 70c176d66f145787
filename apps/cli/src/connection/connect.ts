/** The server as typed calls, by the contract's route table. */
import { randomUUID } from 'node:crypto'
import { type Client, createClient, ProblemError, type Route, type RouteName, routes } from '@roomkeeper/contract'
import { Failure } from '#failure.ts'
import { checkInput } from './check-input.ts'
import { chooseLogin } from './choose-login.ts'
import { patientFetch } from './patient-fetch.ts'
import type { Login } from './stored-login.ts'

/** POSTs that change nothing. */
const reading: readonly RouteName[] = ['listRooms', 'preflightBulk', 'preflightLiveMigration']

export interface Server extends Client {
  login: Login
}

/** As whom `login` and the environment say. @throws Failure */
export async function connect(): Promise<Server> {
  return connectAs(await chooseLogin())
}

/**
 * Calls throw `Failure`. A call that starts an operation carries a key of its own, so that it starts one operation
 * however often it has to be sent.
 */
export function connectAs(login: Login): Server {
  return {
    login,
    call: (name, input) => callOn(login, name, input, (client, given) => client.call(name, given)),
    open: (name, input) => callOn(login, name, input, (client, given) => client.open(name, given)),
  }
}

interface CallParts {
  query?: unknown
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

async function callOn<Input extends CallParts, Result>(
  login: Login,
  name: RouteName,
  input: Input,
  make: (client: Client, input: Input) => Promise<Result>,
): Promise<Result> {
  const route: Route = routes[name]
  checkInput(route, input)
  if (route.startsOperation !== true) return callUntilWhole(login, name, input, make)
  const key = randomUUID()
  return unlessInterrupted(input.signal, (signal) =>
    callUntilWhole(login, name, { ...input, signal, headers: { 'idempotency-key': key, ...input.headers } }, make),
  )
}

/** The process that answers may die before its answer is complete. */
const triesOfCutAnswers = 3

async function callUntilWhole<Input extends CallParts, Result>(
  login: Login,
  name: RouteName,
  input: Input,
  make: (client: Client, input: Input) => Promise<Result>,
): Promise<Result> {
  const route: Route = routes[name]
  const isRepeatable = route.method === 'GET' || route.startsOperation === true || reading.includes(name)
  let requestId: string | null = null
  const client = createClient({
    base: login.url,
    token: () => login.token,
    async fetch(url, init) {
      const options = { isRepeatable, isLong: route.stream !== undefined, signal: input.signal ?? null }
      const response = await patientFetch(String(url), init ?? {}, options)
      requestId = response.headers.get('x-request-id')
      return response
    },
  })
  for (let tries = 1; ; tries += 1) {
    try {
      return await make(client, input)
    } catch (error) {
      if (error instanceof ProblemError) throw refusalOf(error, requestId)
      // Of fetch: other such errors are mistakes of this program.
      const isCut = error instanceof TypeError && error.cause !== undefined
      if (isCut && isRepeatable && tries < triesOfCutAnswers) continue
      throw isCut ? cutOff() : whatElse(error)
    }
  }
}

/** Whoever stops the program before the server has answered does not know whether something was started. */
async function unlessInterrupted<Result>(
  given: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  process.once('SIGINT', stop)
  try {
    return await call(given === undefined ? stopped.signal : AbortSignal.any([given, stopped.signal]))
  } catch (error) {
    if (!stopped.signal.aborted) throw error
    const message = 'Stopped before the server answered. The operation may have started all the same.'
    throw new Failure('interrupted', message, { hints: ['roomkeeper operations list'] })
  } finally {
    process.off('SIGINT', stop)
  }
}

const codesOfDatabase = ['database-unreachable', 'database-busy']

export function refusalOf(error: ProblemError, requestId: string | null): Failure {
  const { problem } = error
  // A proxy before the server has no codes.
  const isGateway = problem.type === 'about:blank' && problem.status >= 502 && problem.status <= 504
  const kind = isGateway || codesOfDatabase.includes(error.code) ? 'unreachable' : 'refused'
  return new Failure(kind, problem.detail, {
    ...(problem.type === 'about:blank' ? {} : { code: error.code, title: problem.title }),
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    requestId,
  })
}

function cutOff(): Failure {
  return new Failure('unreachable', 'The connection was cut before the answer was complete.')
}

function whatElse(error: unknown): unknown {
  if (!(error instanceof SyntaxError)) return error
  return new Failure('unreachable', 'What answers at this address is no Roomkeeper server.')
}
