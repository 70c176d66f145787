import { findingSeverities } from '@roomkeeper/contract'
import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { ConsistencyPage } from '#consistency/ConsistencyPage.tsx'
import { flag, oneOf, page, pageSize, searchOf, text } from '#ui/url-search.ts'

export const Route = createFileRoute('/project/_signed-in/consistency')({
  // Without `closed`: the open findings.
  validateSearch: searchOf({
    page,
    size: pageSize,
    search: text(64),
    severity: oneOf(findingSeverities),
    closed: flag,
  }),
  beforeLoad: requires('admin'),
  component: ConsistencyPage,
})
