/** `roomkeeper customers`: the companies of project rooms. */
import { type Customer, customer, customerDetail, customerOrders } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { nonEmptyText, oneOf } from '#arguments.ts'
import type { Run } from '#cli.ts'
import { usageFailure } from '#failure.ts'
import { addJsonOption, addListOptions, type ListOptions } from '#output/output-options.ts'
import { rowsOfPages } from '#output/pages.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import type { View } from '#output/view.ts'

const customerView: View<Customer> = {
  name: ({ key }) => key,
  none: 'There is no such customer.',
  fields: Object.keys(customer.shape),
  columns: [
    { title: 'NAME', rank: 0, value: ({ name }) => name },
    { title: 'ROOMS', rank: 1, value: ({ rooms }) => rooms },
    { title: 'NEXT EXPIRY', rank: 2, value: ({ nextExpiry }) => nextExpiry },
    {
      title: 'FAILED',
      rank: 3,
      value: ({ states }) => states.ERROR,
      colour: ({ states }) => (states.ERROR > 0 ? 'red' : null),
    },
    { title: 'SUSPENDED', rank: 4, value: ({ states }) => states.SUSPENDED },
  ],
}

interface CustomerListOptions extends ListOptions {
  search?: string
  orderBy?: (typeof customerOrders)[number]
}

export function addCustomers(program: Command, run: Run): void {
  const customers = program
    .command('customers')
    .alias('customer')
    .description('Customers: the companies of project rooms')
  addListOptions(customers.command('list').alias('ls').description('List the customers by name'), customerView.fields)
    .option('-s, --search <words>', 'every word occurs in the name', nonEmptyText)
    .option('--order-by <order>', 'by name, or by rooms, those with most first', oneOf(customerOrders))
    .addHelpText('after', '\nExamples:\n  roomkeeper customers list --order-by rooms --limit 10')
    .action(
      run(async (cli, { search = '', orderBy = 'name', limit }: CustomerListOptions) => {
        const server = await cli.connect()
        const order = { order_by: orderBy, order_dir: orderBy === 'rooms' ? 'desc' : 'asc' } as const
        const rows = rowsOfPages(
          async (page, size) => (await server.call('customers', { query: { page, size, search, ...order } })).body,
          limit,
        )
        await printList(customerView, rows, cli.output)
      }),
    )
  addJsonOption(
    customers.command('get <customer>').description('Show a customer, by any spelling of the name'),
    Object.keys(customerDetail.shape),
  )
    .addHelpText(
      'after',
      "\nExamples:\n  roomkeeper customers get Contoso -o yaml\n  roomkeeper rooms list --filter 'customer=Contoso'",
    )
    .action(
      run(async (cli, key: string) => {
        const { body } = await (await cli.connect()).call('customer', { params: { key } })
        await printOne(body, body.key, cli.output)
      }),
    )
  addJsonOption(
    customers
      .command('merge <spelling> [customer]')
      .description('Say that a company is another spelling of a customer'),
    Object.keys(customerDetail.shape),
  )
    .option('--undo', 'the spelling is a customer of its own again')
    .addHelpText(
      'after',
      "\nExamples:\n  roomkeeper customers merge 'Contoso Ltd' Contoso\n  roomkeeper customers merge 'Contoso Ltd' --undo",
    )
    .action(
      run(async (cli, name: string, into: string | undefined, { undo = false }: { undo?: boolean }) => {
        if (undo === (into !== undefined)) throw usageFailure('Please name the customer, or give --undo.')
        const body = { name, isNamed: into ?? null }
        const { body: merged } = await (await cli.connect()).call('mergeCustomers', { body })
        await printOne(merged, merged.key, cli.output)
      }),
    )
}
