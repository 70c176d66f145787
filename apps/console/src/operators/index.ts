/** Operator accounts: what other features need of them. */
export { operatorsQuery } from './use-operators.ts'
