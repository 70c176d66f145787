import { createFileRoute } from '@tanstack/react-router'
import { requires } from '#app/requires.ts'
import { OperatorsPage } from '#operators/OperatorsPage.tsx'

export const Route = createFileRoute('/project/_signed-in/operators')({
  beforeLoad: requires('super'),
  component: OperatorsPage,
})
