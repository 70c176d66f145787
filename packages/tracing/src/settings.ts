/** The settings of traces: OpenTelemetry's own variables, read alike by servers and regions. */
import { z } from 'zod'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const pairs = /^\s*([^\s=,;]+=[^,]*)(,\s*[^\s=,;]+=[^,]*)*\s*$/
const takesPairs = 'names with values, such as name=value,other=value'

/** Each row as those of the settings of servers and regions. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    form: z.url({ protocol: /^https?$/ }).optional(),
    takes: 'the http or https URL of a collector, such as http://127.0.0.1:4318',
    about: 'The collector of [traces](operations.md#traces), by OTLP over HTTP.',
    unset: 'nothing is traced',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    // OpenTelemetry reads it from the environment: what it holds may be a secret, and is kept nowhere else.
    form: z
      .string()
      .regex(pairs)
      .transform(() => true)
      .optional(),
    takes: takesPairs,
    about: 'Headers for the collector, such as its key.',
  },
  OTEL_SERVICE_NAME: {
    form: z.string().min(1).max(200).optional(),
    takes: 'a name',
    about: 'Its name in traces. Embedded regions are `roomkeeper-region`.',
    unset: '`roomkeeper`, or `roomkeeper-region`',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    form: z.string().regex(pairs).optional(),
    takes: takesPairs,
    about: 'Attributes of every span, such as `deployment.environment.name=production`.',
  },
  OTEL_TRACES_SAMPLER: {
    form: z.enum(samplers).default('parentbased_always_on'),
    takes: samplers.join(', '),
    about: 'Which traces are recorded.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    form: z
      .string()
      .regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/)
      .transform(Number)
      .default(1),
    takes: 'a number from 0 to 1',
    about: 'The share that samplers with `traceidratio` record.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    form: z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .pipe(z.int().min(1).max(60_000))
      .default(5000),
    takes: 'a number of milliseconds from 1 to 60000',
    about: 'How often spans are sent.',
  },
} as const

export type TracingSettings = {
  [Name in keyof typeof tracingVariables]: z.output<(typeof tracingVariables)[Name]['form']>
}

/** What a server gives to its embedded regions, which have a name of their own. */
export function inheritedVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const handedOn = ([name]: [string, unknown]) => name.startsWith('OTEL_') && name !== 'OTEL_SERVICE_NAME'
  return Object.fromEntries(Object.entries(environment).filter(handedOn))
}
