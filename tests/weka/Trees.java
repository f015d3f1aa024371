import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import weka.classifiers.trees.J48;
import weka.classifiers.trees.j48.*;
import weka.core.*;
import weka.core.converters.ArffLoader.ArffReader;

/**
 * J48 on many files in one process. A line of standard input is a path, a tab, J48's options, a tab, folds (0: none);
 * a line of standard output is one JSON object: text, leaves, size, probabilities of the training cases, and those
 * of the test cases of each fold (seed 1).
 */
public class Trees {
  /** J48 whose option R works: in 3.9.7 its model selection refuses a pruning set that it does not need. */
  static class Working extends J48 {
    @Override
    public void buildClassifier(Instances data) throws Exception {
      if (!m_reducedErrorPruning) {
        super.buildClassifier(data);
        return;
      }
      getCapabilities().testWithFail(data);
      ModelSelection inner = m_binarySplits
          ? new BinC45ModelSelection(m_minNumObj, data, m_useMDLcorrection, m_doNotMakeSplitPointActualValue)
          : new C45ModelSelection(m_minNumObj, data, m_useMDLcorrection, m_doNotMakeSplitPointActualValue);
      m_root = new PruneableClassifierTree(new OneSet(inner), !m_unpruned, m_numFolds, !m_noCleanup, m_Seed);
      m_root.buildClassifier(data);
    }
  }

  /** Selects by the growing set alone. */
  static class OneSet extends ModelSelection {
    final ModelSelection inner;

    OneSet(ModelSelection inner) {
      this.inner = inner;
    }

    @Override
    public ClassifierSplitModel selectModel(Instances data) {
      try {
        return inner.selectModel(data);
      } catch (Exception fault) {
        throw new IllegalStateException(fault);
      }
    }

    @Override
    public ClassifierSplitModel selectModel(Instances train, Instances test) {
      return selectModel(train);
    }

    @Override
    public String getRevision() {
      return "1";
    }
  }

  static String quoted(String s) {
    StringBuilder b = new StringBuilder("\"");
    for (char c : s.toCharArray())
      if (c < 32 || c > 126 || c == '"' || c == '\\') b.append(String.format("\\u%04x", (int) c));
      else b.append(c);
    return b.append('"').toString();
  }

  static String probabilities(J48 tree, Instances data) throws Exception {
    StringBuilder b = new StringBuilder("[");
    for (int i = 0; i < data.numInstances(); i++)
      b.append(i > 0 ? ", " : "").append(Arrays.toString(tree.distributionForInstance(data.instance(i))));
    return b.append(']').toString();
  }

  static J48 built(String options, Instances data) throws Exception {
    J48 tree = new Working();
    tree.setOptions(Utils.splitOptions(options));
    tree.buildClassifier(data);
    return tree;
  }

  static String answer(String path, String options, int folds) {
    try (Reader reader = new BufferedReader(new InputStreamReader(new FileInputStream(path), StandardCharsets.UTF_8))) {
      Instances data = new ArffReader(reader).getData();
      data.setClassIndex(data.numAttributes() - 1);
      J48 tree = built(options, data);
      StringBuilder b = new StringBuilder("{\"text\": ").append(quoted(tree.toString()));
      b.append(", \"leaves\": ").append((int) tree.measureNumLeaves());
      b.append(", \"size\": ").append((int) tree.measureTreeSize());
      b.append(", \"probabilities\": ").append(probabilities(tree, data)).append(", \"folds\": [");
      if (folds > 0) {
        Random random = new Random(1);
        Instances dealt = new Instances(data);
        dealt.randomize(random);
        dealt.stratify(folds);
        for (int i = 0; i < folds; i++) {
          Instances train = dealt.trainCV(folds, i, random);
          b.append(i > 0 ? ", " : "").append(probabilities(built(options, train), dealt.testCV(folds, i)));
        }
      }
      return b.append("]}").toString();
    } catch (Throwable fault) {
      return "{\"weka_error\": " + quoted(String.valueOf(fault)) + "}";
    }
  }

  public static void main(String[] arguments) throws IOException {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String job; (job = jobs.readLine()) != null; ) {
      String[] parts = job.split("\t", -1);
      out.println(answer(parts[0], parts[1], Integer.parseInt(parts[2])));
    }
  }
}
