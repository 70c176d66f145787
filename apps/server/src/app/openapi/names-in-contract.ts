/** How the schemas of the contract are called in the OpenAPI document. */
import * as contract from '@roomkeeper/contract'
import { z } from 'zod'
import { type Naming, namesOfExports, wireSchema } from './schemas.ts'

export function namingOfContract(): Naming {
  return {
    names: { answer: namesInContract(), body: namesInBodies() },
    ignoredFieldsOf: contract.ignoredFieldsOf,
  }
}

/** Types of query parameters, which stay inline so that generated clients see them as they are. */
const unnamed: readonly unknown[] = [contract.commaJoined, contract.queryFlag, contract.csvForm]

const namesInContract = () => namesOfExports(contract, unnamed)

/** An object that is sent and answered is described twice: an answer of a later release may hold more. */
function namesInBodies(): Map<unknown, string> {
  const names = namesInContract()
  const answers = Object.values<contract.Route>(contract.routes).flatMap((route) => Object.values(route.answers))
  const answered = answers.flatMap((schema) =>
    schema === true ? [] : [names.get(schema), ...Object.keys(wireSchema(schema, names).$defs ?? {})],
  )
  const isTwofold = (schema: unknown, name: string) => schema instanceof z.ZodObject && answered.includes(name)
  return new Map([...names].map(([schema, name]) => [schema, isTwofold(schema, name) ? `${name}Sent` : name]))
}
