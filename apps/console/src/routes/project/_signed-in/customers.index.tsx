import { customerOrders } from '@roomkeeper/contract'
import { createFileRoute } from '@tanstack/react-router'
import { CustomersPage } from '#rooms/customers/CustomersPage.tsx'
import { oneOf, page, pageSize, searchOf, text } from '#ui/url-search.ts'

export const Route = createFileRoute('/project/_signed-in/customers/')({
  validateSearch: searchOf({
    page,
    size: pageSize,
    search: text(200),
    sort: oneOf(customerOrders),
    dir: oneOf(['asc', 'desc'] as const),
  }),
  component: CustomersPage,
})
