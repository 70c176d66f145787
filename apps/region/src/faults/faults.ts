/**
 * Failures on demand, for tests; registered only with REGION_FAULTS=1.
 * `PUT /faults` replaces all rules. `GET /faults` shows the rules for requests that still apply.
 * Rules with `file` are for file calls: see file-faults.ts.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { problemOf, refuse } from '#refusals.ts'
import { fileRule, registerFileFaults } from './file-faults.ts'

const faultRule = z.object({
  /** `*`: any method. */
  method: z.string().default('*'),
  /** The beginning of the path, such as `/region/v1/rooms/`. */
  path: z.string(),
  /** How many requests the rule hits. */
  times: z.int().min(1).default(1),
  /**
   * status: answers with `status`, without effect. delay: continues after `milliseconds`. hang: no effect and no
   * answer. reset: no effect, the connection breaks. exit-before, exit-after: the process is killed before the request
   * takes effect, or afterwards but before the answer.
   */
  action: z.enum(['status', 'delay', 'hang', 'reset', 'exit-before', 'exit-after']),
  status: z.int().min(400).max(599).default(503),
  milliseconds: z.int().min(0).max(600_000).default(1000),
})
type FaultRule = z.output<typeof faultRule>

export function registerFaults(app: FastifyInstance): void {
  let rules: FaultRule[] = []
  const files = registerFileFaults(app, die)
  const dying = new WeakSet<FastifyRequest>()

  app.put('/faults', (request, reply) => {
    const found = z
      .array(z.union([fileRule, faultRule]))
      .max(1000)
      .safeParse(request.body)
    if (!found.success) throw refuse('invalid-input', { reason: z.prettifyError(found.error) })
    rules = found.data.flatMap((rule) => ('file' in rule ? [] : rule))
    files.replace(found.data.flatMap((rule) => ('file' in rule ? rule : [])))
    return reply.code(204).send()
  })
  app.get('/faults', () => rules)

  app.addHook('onRequest', async (request, reply) => {
    const rule = rules.find((each) => matches(each, request))
    if (rule === undefined) return
    rule.times -= 1
    rules = rules.filter(({ times }) => times > 0)
    if (rule.action === 'exit-after') dying.add(request)
    else await act(rule, request, reply)
  })
  app.addHook('onSend', async (request) => {
    if (dying.has(request)) await die()
  })
}

function matches(rule: FaultRule, { method, url }: FastifyRequest): boolean {
  return (
    (rule.method === '*' || rule.method.toUpperCase() === method) &&
    url.startsWith(rule.path) &&
    !url.startsWith('/faults')
  )
}

async function act(rule: FaultRule, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  switch (rule.action) {
    case 'status':
      return reply
        .code(rule.status)
        .header('content-type', 'application/problem+json')
        .send({ ...problemOf('fault'), status: rule.status })
    case 'delay':
      return pause(rule.milliseconds)
    case 'hang':
      return new Promise((_, reject) => request.raw.socket.once('close', () => reject(refuse('fault'))))
    case 'reset':
      request.raw.socket.resetAndDestroy()
      throw refuse('fault')
    case 'exit-before':
    case 'exit-after':
      return die()
  }
}

/** With SIGKILL no handler runs. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
