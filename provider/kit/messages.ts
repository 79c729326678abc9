import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import {
  CheckFailure,
  CheckResponse,
  DiffResponse,
  PropertyDiff,
} from "@pulumi/pulumi/proto/provider_pb";
import type { Problem } from "../../bed/errors";
import { formatProblem } from "../../bed/errors";
import type { CheckAnswer, DiffAnswer } from "./check-diff";
import type { PropertyChange } from "./handler";
import { parsePath } from "./property-path";
import type { Properties } from "./values";

/** Struct from and to JavaScript: the one place where the wire's value type is met. */
export function toStruct(value: Properties): Struct {
  return Struct.fromJavaScript(value as Parameters<typeof Struct.fromJavaScript>[0]);
}

export function fromStruct(struct: Struct | undefined): Properties | undefined {
  return struct?.toJavaScript();
}

export function checkResponse({ inputs, problems }: CheckAnswer): CheckResponse {
  const response = new CheckResponse();
  response.setInputs(toStruct(inputs));
  response.setFailuresList(toFailures(problems));
  return response;
}

export function toFailures(problems: readonly Problem[]): CheckFailure[] {
  return problems.map((problem) => {
    const failure = new CheckFailure();
    failure.setProperty(problem.path);
    failure.setReason(formatProblem({ ...problem, path: "" }));
    return failure;
  });
}

const kinds: Record<PropertyChange["kind"], readonly [PropertyDiff.Kind, PropertyDiff.Kind]> = {
  add: [PropertyDiff.Kind.ADD, PropertyDiff.Kind.ADD_REPLACE],
  delete: [PropertyDiff.Kind.DELETE, PropertyDiff.Kind.DELETE_REPLACE],
  update: [PropertyDiff.Kind.UPDATE, PropertyDiff.Kind.UPDATE_REPLACE],
};

export function diffResponse({ changes, deleteBeforeReplace, stables }: DiffAnswer): DiffResponse {
  const response = new DiffResponse();
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  response.setChanges(changes.length === 0 ? DIFF_NONE : DIFF_SOME);
  response.setDiffsList(topLevel(changes));
  response.setReplacesList(topLevel(changes.filter((change) => change.replace)));
  response.setDeletebeforereplace(deleteBeforeReplace);
  response.setStablesList([...stables]);
  response.setHasdetaileddiff(true);
  for (const { path, kind, replace } of changes) {
    const detail = new PropertyDiff();
    detail.setKind(kinds[kind][replace ? 1 : 0]);
    detail.setInputdiff(true);
    response.getDetaileddiffMap().set(path, detail);
  }
  return response;
}

function topLevel(changes: readonly PropertyChange[]): string[] {
  return [...new Set(changes.map(({ path }) => String(parsePath(path)[0])))];
}
