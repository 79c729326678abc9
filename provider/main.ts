import { serve } from "./kit/serve";
import { definition } from "./resources/definition";

void serve(definition);
