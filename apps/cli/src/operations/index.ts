/** `roomkeeper operations`: what the server does in the background. */
import type { Command } from 'commander'
import { addListOperations } from './list-operations.ts'
import { addManageOperation } from './manage-operation.ts'
import { addGetOperation, addOperationLogs } from './show-operation.ts'

export function addOperations(program: Command): void {
  const operations = program.command('operations').alias('ops').description('Operations: the work in the background')
  addListOperations(operations)
  addGetOperation(operations)
  addOperationLogs(operations)
  addManageOperation(operations, 'cancel')
  addManageOperation(operations, 'retry')
}
