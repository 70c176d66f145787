import { createFileRoute } from '@tanstack/react-router'
import { CustomerPage } from '#rooms/customers/CustomerPage.tsx'
import { page, pageSize, searchOf } from '#ui/url-search.ts'

export const Route = createFileRoute('/project/_signed-in/customers/$key')({
  validateSearch: searchOf({ page, size: pageSize }),
  component: CustomerPage,
})
