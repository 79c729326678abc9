import { serve } from "../../../provider/kit/serve";
import { commandProvider } from "./definition";

void serve(commandProvider);
