import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { NotificationsPage } from '#notifications/NotificationsPage.tsx'
import { searchOf, wholeNumber } from '#ui/url-search.ts'

export const Route = createFileRoute('/project/_signed-in/set_notification')({
  validateSearch: searchOf({ page: wholeNumber(2, 1_000_000) }),
  beforeLoad: requires('admin'),
  component: NotificationsPage,
})
